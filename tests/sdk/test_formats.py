"""Answers in XML say what those in JSON say."""

import xml.etree.ElementTree as ElementTree

import pytest

from cloud import Cloud
from kinds import KINDS
from signed import Rpc
from world import Make


def leaves(value, path=""):
    """What a JSON answer says: the paths and texts of its leaves."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, f"{path}/{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, path)
    elif value not in (None, ""):
        yield path, str(value).lower() if isinstance(value, bool) else str(value)


def texts(element, path=""):
    """What an XML answer says, alike."""
    for inner in element:
        yield from texts(inner, f"{path}/{inner.tag}")
    if not len(element) and element.text:
        yield path, element.text


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_row_is_the_same_in_both_formats(simulator, kind):
    clouds = {format: Cloud(simulator, "old-post", format=format) for format in ("JSON", "XML")}
    need = kind.needs(Make(clouds["JSON"]))
    more = {"Tag": [{"Key": "k<&>", "Value": "v\"'"}]} if kind.tagged else {}
    kind.make(clouds["JSON"], need, **more)
    clouds["JSON"].step()
    answers = {format: kind.page(cloud, need) for format, cloud in clouds.items()}
    json = sorted(leaf for leaf in leaves(answers["JSON"]) if leaf[0] != "/RequestId")
    root = ElementTree.fromstring(answers["XML"])
    assert root.tag == f"{kind.read}Response"
    assert [leaf for leaf in sorted(texts(root)) if leaf[0] != "/RequestId"] == json
    assert any(path.endswith(f"/{kind.id}") for path, _ in json)


class TestErrors:
    """Errors in the format that is asked for."""

    def test_an_error_can_be_xml(self, simulator):
        request = Rpc(format="XML").request(simulator, "DeleteVpc", {"VpcId": "vpc-nobody"})
        answer = request.send(simulator)
        assert answer.status == 404
        assert answer.headers["content-type"].startswith("text/xml")
        error = ElementTree.fromstring(answer.body)
        assert (error.tag, error.findtext("Code")) == ("Error", "InvalidVpcId.NotFound")
        assert error.findtext("Message") and error.findtext("RequestId") and error.findtext("HostId")

    def test_xml_is_the_older_generations_default(self, simulator):
        answer = Rpc(format=None).request(simulator, "DescribeVpcs", {}).send(simulator)
        assert ElementTree.fromstring(answer.body).tag == "DescribeVpcsResponse"

    def test_another_format_is_refused(self, simulator):
        answer = Rpc(format="YAML").request(simulator, "DescribeVpcs", {}).send(simulator)
        assert answer.outcome == ("InvalidParameter.Format", 400)
