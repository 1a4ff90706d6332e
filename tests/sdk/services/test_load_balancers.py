"""Classic and network load balancers, as a cluster leaves them behind."""

import pytest


def test_a_protected_classic_balancer_stays(cloud):
    made = cloud.slb("CreateLoadBalancer", LoadBalancerName="a", DeleteProtection="on", LoadBalancerSpec="slb.s1.small")
    balancer = {"LoadBalancerId": made["LoadBalancerId"]}
    cloud.step()
    with pytest.raises(cloud.client.Error) as caught:
        cloud.slb("DeleteLoadBalancer", **balancer)
    assert cloud.client.outcome(caught.value)[0].startswith("OperationDenied.DeleteProtectionIsOn")
    cloud.slb("SetLoadBalancerDeleteProtection", DeleteProtection="off", **balancer)
    assert cloud.slb("DescribeLoadBalancerAttribute", **balancer)["DeleteProtection"] == "off"
    cloud.slb("DeleteLoadBalancer", **balancer)
    cloud.step()
    assert cloud.slb("DescribeLoadBalancers")["TotalCount"] == 0


def test_server_groups_tell_whose_a_balancer_is(cloud):
    made = cloud.slb("CreateLoadBalancer", LoadBalancerSpec="slb.s1.small")
    balancer = {"LoadBalancerId": made["LoadBalancerId"]}
    cloud.step()
    name = "k8s/30080/ingress/default/shoot--a--b"
    group = cloud.slb("CreateVServerGroup", VServerGroupName=name, **balancer)["VServerGroupId"]
    rows = cloud.slb("DescribeVServerGroups", **balancer)["VServerGroups"]["VServerGroup"]
    assert [(row["VServerGroupId"], row["VServerGroupName"]) for row in rows] == [(group, name)]
    cloud.slb("DeleteVServerGroup", VServerGroupId=group)
    rows = cloud.slb("DescribeVServerGroups", **balancer)["VServerGroups"]["VServerGroup"]
    assert rows == []


def test_a_protected_network_balancer_stays(cloud, make):
    vpc, vswitch = make.network()
    other = make.vswitch(vpc, "10.251.0.0/24", ZoneId="cn-shanghai-g")
    made = cloud.nlb(
        "CreateLoadBalancer",
        AddressType="Internet",
        VpcId=vpc,
        ZoneMappings=[
            {"ZoneId": "cn-shanghai-b", "VSwitchId": vswitch},
            {"ZoneId": "cn-shanghai-g", "VSwitchId": other},
        ],
        DeletionProtectionConfig={"Enabled": True, "Reason": "shoot"},
    )
    balancer = {"LoadBalancerId": made["LoadbalancerId"]}
    cloud.step()
    one = cloud.nlb("GetLoadBalancerAttribute", **balancer)
    assert one["LoadBalancerStatus"] == "Active"
    assert one["DeletionProtectionConfig"]["Enabled"] is True
    assert {zone["VSwitchId"] for zone in one["ZoneMappings"]} == {vswitch, other}
    with cloud.refuses("OperationDenied.DeletionProtectionEnabled", 400):
        cloud.nlb("DeleteLoadBalancer", **balancer)
    cloud.nlb("UpdateLoadBalancerProtection", DeletionProtectionEnabled=False, **balancer)
    assert cloud.nlb("DeleteLoadBalancer", **balancer)["JobId"]
    cloud.step()
    with cloud.refuses("ResourceNotFound.loadBalancer", 404):
        cloud.nlb("GetLoadBalancerAttribute", **balancer)
