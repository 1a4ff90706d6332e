"""Roles, who calls, and temporary credentials."""

import json

import pytest

from simulator import ACCOUNT, USER_KEY, Key
from world import TRUST

NAT_ROLE = "AliyunServiceRoleForNatgw"


@pytest.mark.parametrize("service", ["ram", "resourcemanager"])
def test_a_role_is_created_listed_and_deleted(cloud, service):
    made = cloud.call(
        service, "CreateRole", {"RoleName": "backup", "AssumeRolePolicyDocument": TRUST, "Description": "d"}
    )
    assert made["Role"]["Arn"] == f"acs:ram::{ACCOUNT}:role/backup"
    one = cloud.call(service, "GetRole", {"RoleName": "backup"})["Role"]
    assert (one["RoleId"], one["Description"]) == (made["Role"]["RoleId"], "d")
    assert json.loads(one["AssumeRolePolicyDocument"]) == json.loads(TRUST)
    assert "backup" in [role["RoleName"] for role in cloud.call(service, "ListRoles", {})["Roles"]["Role"]]
    with cloud.refuses("EntityAlreadyExists.Role", 409):
        cloud.call(service, "CreateRole", {"RoleName": "backup", "AssumeRolePolicyDocument": TRUST})
    cloud.call(service, "DeleteRole", {"RoleName": "backup"})
    with cloud.refuses("EntityNotExist.Role", 404):
        cloud.call(service, "GetRole", {"RoleName": "backup"})


def test_both_services_see_the_same_roles(cloud, make):
    make.role("backup")
    assert cloud.resourcemanager("GetRole", RoleName="backup")["Role"]["RoleName"] == "backup"


def test_a_service_has_its_role_once_it_is_created(cloud):
    with cloud.refuses("EntityNotExist.Role", 404):
        cloud.resourcemanager("GetRole", RoleName=NAT_ROLE)
    cloud.resourcemanager("CreateServiceLinkedRole", ServiceName="nat.aliyuncs.com")
    assert cloud.resourcemanager("GetRole", RoleName=NAT_ROLE)["Role"]["IsServiceLinkedRole"] is True
    assert cloud.resourcemanager("DeleteServiceLinkedRole", RoleName=NAT_ROLE)["DeletionTaskId"]
    cloud.step()
    with cloud.refuses("EntityNotExist.Role", 404):
        cloud.resourcemanager("GetRole", RoleName=NAT_ROLE)


def test_an_account_knows_who_it_is(cloud):
    me = cloud.sts("GetCallerIdentity")
    assert (me["AccountId"], me["IdentityType"]) == (ACCOUNT, "Account")


ROLE = f"acs:ram::{ACCOUNT}:role/bastion"


@pytest.fixture
def user(cloud):
    """Who may assume roles: accounts may not."""
    return cloud.another(key=USER_KEY)


@pytest.fixture
def session(user, make):
    """Temporary credentials of a role."""
    make.role("bastion")
    return assume(user)


def assume(user):
    given = user.sts("AssumeRole", RoleArn=ROLE, RoleSessionName="me", DurationSeconds=900)["Credentials"]
    return Key(given["AccessKeyId"], given["AccessKeySecret"], given["SecurityToken"])


def test_a_user_knows_who_it_is(user):
    me = user.sts("GetCallerIdentity")
    assert (me["AccountId"], me["IdentityType"]) == (ACCOUNT, "RAMUser")
    assert me["Arn"] == f"acs:ram::{ACCOUNT}:user/operator"


def test_temporary_credentials_are_good_until_they_expire(cloud, session):
    session = cloud.another(key=session)
    me = session.sts("GetCallerIdentity")
    assert (me["AccountId"], me["IdentityType"]) == (ACCOUNT, "AssumedRoleUser")
    assert me["Arn"] == f"acs:ram::{ACCOUNT}:assumed-role/bastion/me"
    vpc = session.vpc("CreateVpc", CidrBlock="10.0.0.0/8")["VpcId"]
    assert cloud.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 1
    cloud.step(901)
    with session.refuses("InvalidSecurityToken.Expired", 400):
        session.vpc("DescribeVpcs")


def test_temporary_credentials_need_their_own_token(cloud, user, session):
    for token, outcome in [
        (None, ("MissingSecurityToken", 400)),
        ("made-up", ("InvalidSecurityToken.Malformed", 400)),
        (assume(user).token, ("InvalidSecurityToken.MismatchWithAccessKey", 400)),
    ]:
        other = cloud.another(key=Key(session.id, session.secret, token))
        with other.refuses(*outcome):
            other.vpc("DescribeVpcs")


def test_a_role_can_be_assumed_by_a_user_if_it_exists(cloud, user, make):
    with user.refuses("EntityNotExist.Role", 404):
        user.sts("AssumeRole", RoleArn=ROLE, RoleSessionName="me")
    make.role("bastion")
    with cloud.refuses("NoPermission", 403):
        cloud.sts("AssumeRole", RoleArn=ROLE, RoleSessionName="me")


def test_secrets_of_sessions_are_told_once(cloud, session):
    told = json.dumps(cloud.simulator.inventory()) + json.dumps(cloud.simulator.calls())
    assert session.secret not in told and session.token not in told
