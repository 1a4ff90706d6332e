"""Roles, who calls, and temporary credentials."""

import json

import pytest
from simulator import ACCOUNT, Key
from world import TRUST

NAT_ROLE = "AliyunServiceRoleForNatgw"


@pytest.mark.parametrize("service", ["ram", "resourcemanager"])
def test_a_role_is_created_listed_and_deleted(cloud, service):
    made = cloud.call(service, "CreateRole", {"RoleName": "backup", "AssumeRolePolicyDocument": TRUST, "Description": "d"})
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


def test_an_account_knows_who_it_is(cloud):
    me = cloud.sts("GetCallerIdentity")
    assert (me["AccountId"], me["IdentityType"]) == (ACCOUNT, "Account")


def assume(cloud, make, seconds=900):
    arn = make.role("bastion")
    answer = cloud.sts("AssumeRole", RoleArn=arn, RoleSessionName="me", DurationSeconds=seconds)
    given = answer["Credentials"]
    return Key(given["AccessKeyId"], given["AccessKeySecret"], given["SecurityToken"])


def test_temporary_credentials_are_good_until_they_expire(cloud, make):
    session = cloud.another(key=assume(cloud, make))
    me = session.sts("GetCallerIdentity")
    assert (me["AccountId"], me["IdentityType"]) == (ACCOUNT, "AssumedRoleUser")
    assert me["Arn"] == f"acs:ram::{ACCOUNT}:assumed-role/bastion/me"
    vpc = session.vpc("CreateVpc", CidrBlock="10.0.0.0/8")["VpcId"]
    assert cloud.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 1
    cloud.step(901)
    with session.refuses("InvalidSecurityToken.Expired", 400):
        session.vpc("DescribeVpcs")


def test_temporary_credentials_need_their_own_token(cloud, make):
    key = assume(cloud, make)
    for token, outcome in [
        (None, ("MissingSecurityToken", 400)),
        ("made-up", ("InvalidSecurityToken.Malformed", 400)),
        (assume_again(cloud).token, ("InvalidSecurityToken.MismatchWithAccessKey", 400)),
    ]:
        other = cloud.another(key=Key(key.id, key.secret, token))
        with other.refuses(*outcome):
            other.vpc("DescribeVpcs")


def assume_again(cloud):
    arn = f"acs:ram::{ACCOUNT}:role/bastion"
    given = cloud.sts("AssumeRole", RoleArn=arn, RoleSessionName="you")["Credentials"]
    return Key(given["AccessKeyId"], given["AccessKeySecret"], given["SecurityToken"])


def test_a_role_that_does_not_exist_cannot_be_assumed(cloud):
    arn = f"acs:ram::{ACCOUNT}:role/nobody"
    with cloud.refuses("EntityNotExist.Role", 404):
        cloud.sts("AssumeRole", RoleArn=arn, RoleSessionName="me")


def test_secrets_of_sessions_are_told_once(cloud, make):
    key = assume(cloud, make)
    told = json.dumps(cloud.simulator.inventory()) + json.dumps(cloud.simulator.calls())
    assert key.secret not in told and key.token not in told
