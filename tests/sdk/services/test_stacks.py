"""The stack that copies an image."""

import json

import pytest

from simulator import IMAGE, OTHER_KEY

TEMPLATE = {
    "ROSTemplateFormatVersion": "2015-09-01",
    "Parameters": {
        "ImageId": {"Type": "String"},
        "DestinationRegionId": {"Type": "String"},
        "DestinationImageName": {"Type": "String"},
        "DestinationDescription": {"Type": "String"},
    },
    "Resources": {
        "CopyImage": {
            "Type": "ALIYUN::ECS::CopyImage",
            "Properties": {
                "ImageId": {"Ref": "ImageId"},
                "DestinationRegionId": {"Ref": "DestinationRegionId"},
                "DestinationImageName": {"Ref": "DestinationImageName"},
                "DestinationDescription": {"Ref": "DestinationDescription"},
                "Encrypted": True,
            },
        }
    },
    "Outputs": {"ImageId": {"Value": {"Fn::GetAtt": ["CopyImage", "ImageId"]}}},
}
PARAMETERS = {
    "ImageId": IMAGE,
    "DestinationRegionId": "cn-shanghai",
    "DestinationImageName": "golden-encrypted",
    "DestinationDescription": f"copied from image {IMAGE}",
}
STACK = {
    "StackName": "encrypt_image_golden",
    "TemplateBody": json.dumps(TEMPLATE),
    "TimeoutInMinutes": 120,
    "Parameters": [{"ParameterKey": key, "ParameterValue": value} for key, value in PARAMETERS.items()],
    "Tags": [{"Key": "gardener-managed", "Value": "true"}],
}


@pytest.fixture
def owner(cloud):
    return cloud.another(key=OTHER_KEY)


def test_a_stack_copies_an_image(owner):
    stack = owner.ros("CreateStack", **STACK)["StackId"]
    one = owner.ros("GetStack", StackId=stack)
    assert (one["Status"], one["StackName"]) == ("CREATE_IN_PROGRESS", STACK["StackName"])
    owner.step()
    one = owner.ros("GetStack", StackId=stack)
    assert one["Status"] == "CREATE_COMPLETE"
    (output,) = one["Outputs"]
    assert output["OutputKey"] == "ImageId"
    (image,) = owner.ecs("DescribeImages", ImageId=output["OutputValue"])["Images"]["Image"]
    assert (image["ImageName"], image["Status"]) == ("golden-encrypted", "Available")
    listed = owner.ros("ListStacks", StackName=[STACK["StackName"]])
    assert [row["StackId"] for row in listed["Stacks"]] == [stack]
    owner.ros("DeleteStack", StackId=stack)
    owner.step()
    assert owner.ros("ListStacks", StackName=[STACK["StackName"]], Status=["CREATE_COMPLETE"])["TotalCount"] == 0


def test_a_name_is_taken_once(owner):
    owner.ros("CreateStack", **STACK)
    with owner.refuses("StackExists", 409):
        owner.ros("CreateStack", **STACK)


def test_a_stack_that_does_not_exist_is_not_found(owner):
    with owner.refuses("StackNotFound", 404):
        owner.ros("GetStack", StackId="11111111-2222-3333-4444-555555555555")


def test_other_resources_and_broken_templates_are_refused(owner):
    other = json.loads(STACK["TemplateBody"])
    other["Resources"]["CopyImage"]["Type"] = "ALIYUN::ECS::Instance"
    for body in ["{", "[]", json.dumps(other)]:
        with pytest.raises(owner.client.Error) as caught:
            owner.ros("CreateStack", **{**STACK, "TemplateBody": body})
        assert owner.client.outcome(caught.value)[1] == 400, body
    assert owner.ros("ListStacks")["TotalCount"] == 0
