"""Domains and their records."""

import pytest


def add(cloud, name, type="A", value="198.18.0.1", **more):
    more = {"DomainName": "example.com", "RR": name, "Type": type, "Value": value, **more}
    return cloud.alidns("AddDomainRecord", **more)["RecordId"]


def records(cloud, **filters):
    answer = cloud.alidns("DescribeDomainRecords", DomainName="example.com", **filters)
    return answer["DomainRecords"]["Record"]


@pytest.fixture(autouse=True)
def domain(make):
    make.domain("example.com")


def test_a_domain_is_in_an_account_once(cloud):
    with cloud.refuses("InvalidDomainName.Duplicate", 400):
        cloud.alidns("AddDomain", DomainName="example.com")
    (row,) = cloud.alidns("DescribeDomains")["Domains"]["Domain"]
    assert row["DomainName"] == "example.com" and row["DomainId"]


def test_records_are_told_as_they_were_added(cloud):
    for name, type, value in [
        ("@", "A", "198.18.0.1"),
        ("*.apps", "CNAME", "ingress.example.com"),
        ("_acme", "TXT", "a b;c"),
        ("six", "AAAA", "2001:db8::1"),
    ]:
        record = add(cloud, name, type, value, TTL=600)
        one = cloud.alidns("DescribeDomainRecordInfo", RecordId=record)
        assert (one["RR"], one["Type"], one["Value"], one["TTL"]) == (name, type, value, 600)
    assert len(records(cloud)) == 4
    assert [row["RR"] for row in records(cloud, TypeKeyWord="TXT")] == ["_acme"]


def test_the_same_record_twice_is_a_duplicate(cloud):
    record = add(cloud, "api", TTL=600)
    add(cloud, "api", value="198.18.0.2", TTL=600)
    with cloud.refuses("DomainRecordDuplicate", 400):
        add(cloud, "api", TTL=600)
    with cloud.refuses("DomainRecordDuplicate", 400):
        cloud.alidns("UpdateDomainRecord", RecordId=record, RR="api", Type="A", Value="198.18.0.1", TTL=600)


def test_all_records_of_a_name_go_at_once(cloud):
    for value in ["198.18.0.1", "198.18.0.2"]:
        add(cloud, "api", value=value)
    add(cloud, "www")
    assert cloud.alidns("DeleteSubDomainRecords", DomainName="example.com", RR="api")["TotalCount"] == "2"
    assert [row["RR"] for row in records(cloud)] == ["www"]


def test_an_alias_stands_alone(cloud):
    add(cloud, "api")
    with cloud.refuses("DomainRecordConflict", 400):
        add(cloud, "api", "CNAME", "other.example.com")


def test_what_is_gone_belongs_to_nobody(cloud):
    record = add(cloud, "api")
    cloud.alidns("DeleteDomainRecord", RecordId=record)
    with cloud.refuses("DomainRecordNotBelongToUser", 400):
        cloud.alidns("DeleteDomainRecord", RecordId=record)
    with pytest.raises(cloud.client.Error) as caught:
        cloud.alidns("DescribeDomainRecords", DomainName="example.org")
    assert "Domain" in cloud.client.outcome(caught.value)[0]


@pytest.mark.parametrize(
    ("type", "value"), [("A", "300.1.1.1"), ("AAAA", "198.18.0.1"), ("CNAME", "not a name"), ("NOPE", "x")]
)
def test_a_value_of_another_form_is_refused(cloud, type, value):
    with pytest.raises(cloud.client.Error) as caught:
        add(cloud, "api", type, value)
    assert cloud.client.outcome(caught.value)[1] == 400
    assert records(cloud) == []
