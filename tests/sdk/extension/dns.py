"""DNS records."""

import math

from kinds import place

PAGE_SIZE = 20


class Dns:
    """The records of an account, whose domains are remembered once read."""

    def __init__(self, call):
        self.call = call
        self.domains = None

    def pages(self, action, rows, **filters):
        found, number, last = [], 0, 1
        while number < last:
            number += 1
            page = self.call.alidns(action, PageSize=PAGE_SIZE, PageNumber=number, **filters)
            found += place(page, rows)
            last = math.ceil(page["TotalCount"] / PAGE_SIZE)
        return found

    def domain(self, name):
        """The longest domain that a name is in."""
        if self.domains is None:
            self.domains = [row["DomainName"] for row in self.pages("DescribeDomains", "Domains.Domain")]
        return max((domain for domain in self.domains if f".{name}".endswith(f".{domain}")), key=len)

    def records(self, domain, rr, type):
        filters = {"DomainName": domain, "RRKeyWord": rr, "TypeKeyWord": type}
        rows = self.pages("DescribeDomainRecords", "DomainRecords.Record", **filters)
        return {row["Value"]: row for row in rows if row["RR"] == rr}

    def reconcile(self, name, type, values, ttl=120, domain=None, creating=False):
        """A run; `domain` is what an earlier one has found out. It is returned."""
        domain = domain or self.domain(name)
        rr = record_name(name, domain)
        current = self.records(domain, rr, type)
        for value in values:
            wanted = {"RR": rr, "Type": type, "Value": value, "TTL": ttl}
            if row := current.get(value):
                if row["TTL"] != ttl:
                    self.call.alidns("UpdateDomainRecord", RecordId=row["RecordId"], **wanted)
            else:
                self.call.alidns("AddDomainRecord", DomainName=domain, **wanted)
        for value in current.keys() - values:
            self.remove(current[value])
        if creating:
            meta = f"*.comment-{name[2:]}" if name.startswith("*.") else f"comment-{name}"
            for row in self.records(domain, record_name(meta, domain), "TXT").values():
                self.remove(row)
        return domain

    def delete(self, name, type, domain):
        for row in self.records(domain, record_name(name, domain), type).values():
            self.remove(row)

    def remove(self, row):
        try:
            self.call.alidns("DeleteDomainRecord", RecordId=row["RecordId"])
        except self.call.Error as error:
            if error.get_error_code() != "DomainRecordNotBelongToUser":
                raise


def record_name(name, domain):
    """A name as its domain has it."""
    return "@" if name == domain else name.removesuffix(f".{domain}")
