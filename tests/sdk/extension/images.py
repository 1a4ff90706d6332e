"""Images: shared with the account, copied with encryption by a stack."""

from kinds import place

# As it is in the file of the extension, by structure and types; descriptions are others.
TEMPLATE = """\
ROSTemplateFormatVersion: '2015-09-01'
Parameters:
  KMSKeyId:
    Type: String
    Description: Key of the copy.
    Default: null
  DestinationRegionId:
    Type: String
    Description: Region of the copy.
  Encrypted:
    Type: Boolean
    Description: Whether the copy is encrypted.
    AllowedValues:
      - 'True'
      - 'true'
      - 'False'
      - 'false'
    Default: 'True'
  ImageId:
    Type: String
    Description: What is copied.
  DestinationDescription:
    Type: String
    Description: >-
      Description of the copy, such as http:// does not
      begin.  Default value: null.
  Tag:
    Type: Json
    Description: ''
    Default: []
  DestinationImageName:
    Type: String
    Description: Name of the copy.
Resources:
  CopyImage:
    Type: 'ALIYUN::ECS::CopyImage'
    Properties:
      KMSKeyId:
        Ref: KMSKeyId
      DestinationRegionId:
        Ref: DestinationRegionId
      Encrypted:
        Ref: Encrypted
      ImageId:
        Ref: ImageId
      DestinationDescription:
        Ref: DestinationDescription
      Tag:
        Ref: Tag
      DestinationImageName:
        Ref: DestinationImageName
Outputs:
  ImageId:
    Description: The copy.
    Value:
      'Fn::GetAtt':
        - CopyImage
        - ImageId
"""
WAIT_SECONDS, LONGEST = 10, 15 * 60


def share(call, owner, image):
    """Shares an image of another account with this one, unless it is seen already."""
    account = call.sts("GetCallerIdentity")["AccountId"]
    if call.ecs("DescribeImages", ImageId=image)["TotalCount"] == 0:
        owner.ecs("ModifyImageSharePermission", ImageId=image, AddAccount=[account])


def encrypted(call, name, version, image):
    """The encrypted copy of an image."""
    call.ecs("DescribeImages", ImageId=image)
    (row,) = place(call.ecs("DescribeImages", ImageId=image), "Images.Image")
    assert row["ImageOwnerAlias"] != "system"
    stack = f"encrypt_image_{name}_{version}_{call.region}_{image}".replace(".", "-")
    found = call.ros("ListStacks", StackName=[stack])["Stacks"]
    id = found[0]["StackId"] if found else create(call, stack, name, version, image)
    return wait(call, id)


def create(call, stack, name, version, image):
    parameters = {
        "ImageId": image,
        "DestinationDescription": f"copied from image {image}",
        "DestinationImageName": f"{name}-{version}-{call.region}-{image}-encrypted",
        "DestinationRegionId": call.region,
    }
    tags = {"gardener-managed": "true", "do-not-delete": "true", name: version}
    return call.ros(
        "CreateStack",
        StackName=stack,
        TimeoutInMinutes=120,
        TemplateBody=TEMPLATE,
        Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
        Tags=[{"Key": key, "Value": value} for key, value in tags.items()],
    )["StackId"]


def wait(call, stack):
    """The one output of a stack once it is complete."""
    for _ in range(0, LONGEST, WAIT_SECONDS):
        found = call.ros("GetStack", StackId=stack)
        if found["Status"] == "CREATE_COMPLETE":
            (output,) = found["Outputs"]
            assert output["OutputKey"] == "ImageId"
            return output["OutputValue"]
        assert found["Status"] == "CREATE_IN_PROGRESS"
        call.simulator.step(WAIT_SECONDS)
    raise TimeoutError(stack)
