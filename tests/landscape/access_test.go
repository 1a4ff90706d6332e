package landscape_test

import (
	"context"
	"testing"

	authentication "k8s.io/api/authentication/v1"
	core "k8s.io/api/core/v1"
	rbac "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Tests run an extension under a ClusterRole of its own this way.
func TestATokenOfAServiceAccountMayWhatItsClusterRoleSays(t *testing.T) {
	ctx, admin := context.Background(), clientOf(t, shared.Seed)
	named := metav1.ObjectMeta{Name: "reader", Namespace: "default"}
	if _, err := admin.CoreV1().ServiceAccounts("default").Create(ctx, &core.ServiceAccount{ObjectMeta: named}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	role := &rbac.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "reader"},
		Rules:      []rbac.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"list"}}},
	}
	if _, err := admin.RbacV1().ClusterRoles().Create(ctx, role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	binding := &rbac.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "reader"},
		RoleRef:    rbac.RoleRef{APIGroup: rbac.GroupName, Kind: "ClusterRole", Name: "reader"},
		Subjects:   []rbac.Subject{{Kind: rbac.ServiceAccountKind, Name: named.Name, Namespace: named.Namespace}},
	}
	if _, err := admin.RbacV1().ClusterRoleBindings().Create(ctx, binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	token, err := admin.CoreV1().ServiceAccounts("default").CreateToken(ctx, "reader", &authentication.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", shared.Seed)
	if err != nil {
		t.Fatal(err)
	}
	config = rest.AnonymousClientConfig(config)
	config.BearerToken = token.Status.Token
	reader, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the binding has effect", func() bool {
		_, err := reader.CoreV1().ConfigMaps("default").List(ctx, metav1.ListOptions{})
		return err == nil
	})
	if _, err := reader.CoreV1().Secrets("default").List(ctx, metav1.ListOptions{}); !errors.IsForbidden(err) {
		t.Errorf("a list of what the role does not name: %v", err)
	}
}

// The user that an API server takes a client for.
func whoAmI(t *testing.T, config *rest.Config) string {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	review, err := client.AuthenticationV1().SelfSubjectReviews().Create(context.Background(), &authentication.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return review.Status.UserInfo.Username
}
