package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	openapi "github.com/alibabacloud-go/darabonba-openapi/v2/client"
	"github.com/alibabacloud-go/darabonba-openapi/v2/utils"
	"github.com/alibabacloud-go/tea/dara"

	"landscape/internal/servers"
)

// The simulated cloud, as a person sees it who has the account.
type cloud struct {
	url string
	key servers.AccessKey
}

// What an account has before its first Shoot: a domain, and the role by which NAT gateways act. Both stay for ever.
func (c *cloud) prepare(ctx context.Context) error {
	return errors.Join(
		c.call(ctx, "2015-01-09", "AddDomain", map[string]string{"DomainName": domain}),
		c.call(ctx, "2020-03-31", "CreateServiceLinkedRole", map[string]string{"ServiceName": "nat.aliyuncs.com"}),
	)
}

// Calls an action of a version of an API.
func (c *cloud) call(ctx context.Context, version, action string, parameters map[string]string) error {
	address, err := url.Parse(c.url)
	if err != nil {
		return err
	}
	client, err := openapi.NewClient(&openapi.Config{
		AccessKeyId: &c.key.ID, AccessKeySecret: &c.key.Secret, Endpoint: &address.Host, Protocol: dara.String("HTTP"),
	})
	if err != nil {
		return err
	}
	query := map[string]*string{}
	for name, value := range parameters {
		query[name] = dara.String(value)
	}
	_, err = client.CallApiWithCtx(ctx, &utils.Params{
		Action: &action, Version: &version, Protocol: dara.String("HTTP"), Pathname: dara.String("/"), Method: dara.String("POST"),
		AuthType: dara.String("AK"), Style: dara.String("RPC"), ReqBodyType: dara.String("formData"), BodyType: dara.String("json"),
	}, &utils.OpenApiRequest{Query: query}, &dara.RuntimeOptions{})
	if err != nil {
		return fmt.Errorf("%s: %w", action, err)
	}
	return nil
}

// How many calls there were, and how many of these changed something.
type calls struct{ all, changing uint64 }

func (c *cloud) calls(ctx context.Context) (calls, error) {
	var read struct {
		Calls   uint64
		Actions map[string]struct{ Effects uint64 }
	}
	err := c.get(ctx, "calls/counts", &read)
	found := calls{all: read.Calls}
	for _, action := range read.Actions {
		found.changing += action.Effects
	}
	return found, err
}

// What there is, with all that it says of itself, by account, region and kind: a list, or things by name.
type inventory map[string]map[string]map[string]any

func (c *cloud) inventory(ctx context.Context) (found inventory, err error) {
	return found, c.get(ctx, "inventory", &found)
}

// How many things there are of each kind.
type things map[string]int

func (i inventory) things() things {
	found := things{}
	for _, regions := range i {
		for _, kinds := range regions {
			for kind, all := range kinds {
				switch all := all.(type) {
				case []any:
					found[kind] += len(all)
				case map[string]any:
					found[kind] += len(all)
				}
			}
		}
	}
	return found
}

func (t things) String() string {
	var words []string
	for _, kind := range slices.Sorted(maps.Keys(t)) {
		words = append(words, fmt.Sprintf("%d %s", t[kind], kind))
	}
	return strings.Join(words, ", ")
}

func (c *cloud) get(ctx context.Context, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"/_simulator/"+path, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the simulated cloud answers %s: %s", path, answer.Status)
	}
	return json.NewDecoder(answer.Body).Decode(into)
}
