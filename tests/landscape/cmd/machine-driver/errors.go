package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/alibabacloud-go/tea/tea"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/codes"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/status"
)

// What an error of the cloud is to machine-controller-manager, by the beginning of its code: it decides by that when to try
// again.
var kinds = []struct {
	kind   codes.Code
	begins []string
}{
	{codes.Unavailable, []string{"Throttling", "ServiceUnavailable", "InternalError", "IncorrectInstanceStatus"}},
	{codes.ResourceExhausted, []string{"OperationDenied.NoStock", "QuotaExceed", "Zone.NotOnSale"}},
	{codes.PermissionDenied, []string{"InvalidAccessKeyId", "SignatureDoesNotMatch", "Forbidden", "NoPermission"}},
}

func failure(err error) error {
	code := codeOf(err)
	if code == "" {
		// No answer.
		return status.Error(codes.Unavailable, err.Error())
	}
	for _, each := range kinds {
		if slices.ContainsFunc(each.begins, func(begin string) bool { return strings.HasPrefix(code, begin) }) {
			return status.Error(each.kind, err.Error())
		}
	}
	return status.Error(codes.Internal, err.Error())
}

// Whether an error says that the instance is not there.
func isGone(err error) bool { return codeOf(err) == "InvalidInstanceId.NotFound" }

// The code of an error with which the cloud has answered.
func codeOf(err error) string {
	var refused *tea.SDKError
	if !errors.As(err, &refused) {
		return ""
	}
	return tea.StringValue(refused.Code)
}
