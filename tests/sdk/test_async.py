"""The asynchronous clients of the newer generation, which speak by another HTTP library."""

import asyncio

import pytest
from alibabacloud_tea_openapi.exceptions import ClientException
from alibabacloud_tea_openapi.utils_models import Config
from alibabacloud_vpc20160428 import models
from alibabacloud_vpc20160428.client import Client

from cloud import REGION
from simulator import KEY


@pytest.mark.parametrize("algorithm", [None, "v2"], ids=["acs3", "sha1"])
def test_many_calls_of_one_client_at_once(simulator, algorithm):
    client = Client(
        Config(
            access_key_id=KEY.id,
            access_key_secret=KEY.secret,
            endpoint=simulator.host,
            protocol="HTTP",
            region_id=REGION,
            signature_algorithm=algorithm,
        )
    )

    async def live():
        request = models.AllocateEipAddressRequest(region_id=REGION)
        made = await asyncio.gather(*(client.allocate_eip_address_async(request) for _ in range(10)))
        ids = {answer.body.allocation_id for answer in made}
        request = models.DescribeEipAddressesRequest(region_id=REGION, page_size=50)
        found = (await client.describe_eip_addresses_async(request)).body
        assert {row.allocation_id for row in found.eip_addresses.eip_address} == ids
        with pytest.raises(ClientException) as caught:
            await client.delete_vpc_async(models.DeleteVpcRequest(region_id=REGION, vpc_id="vpc-nobody"))
        assert (caught.value.code, caught.value.status_code) == ("InvalidVpcId.NotFound", 404)
        return ids

    assert len(asyncio.run(live())) == 10
