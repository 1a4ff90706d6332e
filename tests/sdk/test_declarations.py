"""What the simulator declares, held to the models of the official SDKs."""

import ast
import importlib
import inspect
import re
import textwrap
import typing
from pathlib import Path

import pytest

from generations import SERVICES
from simulator import Simulator

# Has no models: its SDK is of another sort.
WITHOUT_MODELS = {"oss"}
# What every request may have, whatever action it is for.
COMMON = {"OwnerAccount", "OwnerId", "ResourceOwnerAccount", "ResourceOwnerId", "RegionId"}
KINDS = {"text": str, "integer": int, "number": float, "boolean": bool}

# Parameters whose being required differs from what the models document, each with the reason.
OTHERWISE_REQUIRED = {
    "alidns:AddDomainRecord": {"Priority": "its documentation: for MX records alone"},
    "alidns:UpdateDomainRecord": {"Priority": "its documentation: for MX records alone"},
}
# Parameters that the models of the SDK lack, each with the reason.
BEYOND_THE_SDK = {}


def actions():
    with Simulator("--delays", "none") as simulator:
        for service in simulator.actions():
            if service["code"] not in WITHOUT_MODELS:
                for action in service["actions"]:
                    yield service["code"], service["version"], action


ACTIONS = list(actions())
each_action = pytest.mark.parametrize(
    ("service", "version", "action"), ACTIONS, ids=[f"{service}:{action['name']}" for service, _, action in ACTIONS]
)


class Model:
    """A model of an SDK: the fields by their names on the wire."""

    def __init__(self, model):
        attributes = {}
        for test in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(model.from_map)))):
            # if m.get('CidrBlock') is not None: self.cidr_block = m.get('CidrBlock')
            if isinstance(test, ast.If) and (wire := re.search(r"m\.get\('([^']+)'\)", ast.unparse(test.test))):
                attributes[re.search(r"self\.(\w+)", ast.unparse(test.body))[1]] = wire[1]
        types = typing.get_type_hints(model.__init__, vars(inspect.getmodule(model)))
        self.types = {wire: types[attribute] for attribute, wire in attributes.items()}
        # A comment says it before the attribute is set.
        documented = re.findall(r"((?: *#.*\n)*) *self\.(\w+) = ", inspect.getsource(model.__init__))
        self.required = {
            attributes[attribute] for comment, attribute in documented if "This parameter is required" in comment
        }


def model_of(service, name):
    models = importlib.import_module(SERVICES[service][1] + ".models")
    model = getattr(models, name, None)
    return model and Model(model)


def inner(of):
    """The model that a type is or is a list of."""
    of = typing.get_args(of)[0] if typing.get_origin(of) is list else of
    return Model(of) if hasattr(of, "from_map") else None


def names(model, path=""):
    """The names of a model, with those within records: `SystemDisk.Size`, `Tag.N.Key`."""
    for name, of in model.types.items() if model else []:
        many = ".N." if typing.get_origin(of) is list else "."
        yield from (names(inner(of), f"{path}{name}{many}") if inner(of) else [path + name])


def declared(parameters, path=""):
    """The names of a declaration alike."""
    for parameter in parameters:
        name, form = path + parameter["name"], parameter["form"]
        yield from (declared(form["of"], f"{name}.N.") if form["kind"] == "records" else [name])


@each_action
def test_an_action_is_one_of_the_sdk(service, version, action):
    assert version == SERVICES[service][0]
    client = importlib.import_module(SERVICES[service][1] + ".client").Client
    wanted = action["name"].lower()
    assert any(name.replace("_", "") == wanted for name in dir(client)), "the SDK has no such action"


@each_action
def test_every_parameter_of_the_sdk_is_declared_or_left_out(service, version, action):
    model = model_of(service, action["name"] + "Request")
    here, there = set(declared(action["parameters"])), set(names(model))
    left_out = {
        name: {leaf for leaf in there if leaf == name or leaf.startswith(name + ".")} for name in action["leftOut"]
    }
    covered = here.union(COMMON, *left_out.values())
    assert there <= covered, "neither declared nor left out"
    assert here - there - COMMON == BEYOND_THE_SDK.get(f"{service}:{action['name']}", {}).keys()
    assert [name for name, leaves in left_out.items() if not leaves] == [], "left out, but not in the SDK"
    assert here.isdisjoint(set().union(*left_out.values())), "declared and left out"


def form_of(service, name):
    """The parameters of an action that the client of the SDK sends in the form."""
    source = Path(importlib.import_module(SERVICES[service][1] + ".client").__file__).read_text()
    methods = source.split("\n    def ")
    # Until the end of the method: the next one may be asynchronous.
    methods = (method.split("\n    async def ")[0] for method in methods)
    method = next(method for method in methods if f"action = '{name}'" in method)
    in_form = set(re.findall(r"body(?:_flat)?\['([^']+)'\]", method))
    assert in_form.isdisjoint(re.findall(r"query\['([^']+)'\]", method)), "some parameter is in both"
    return in_form


@each_action
def test_every_parameter_is_declared_where_the_sdk_sends_it(service, version, action):
    declared = {parameter["name"].split(".")[0]: parameter["in"] for parameter in action["parameters"]}
    in_form = form_of(service, action["name"])
    assert {name for name, place in declared.items() if place == "form"} == in_form & declared.keys()
    assert set(declared.values()) <= {"form", "query"}


@each_action
def test_what_the_sdk_says_is_required_is_required(service, version, action):
    model = model_of(service, action["name"] + "Request")
    required = {parameter["name"]: parameter["required"] for parameter in action["parameters"]}
    known = model.types.keys() & required.keys() if model else set()
    differing = {name for name in known if required[name] != (name in model.required)}
    assert differing == OTHERWISE_REQUIRED.get(f"{service}:{action['name']}", {}).keys()


@each_action
def test_parameters_have_the_types_of_the_sdk(service, version, action):
    model = model_of(service, action["name"] + "Request")
    for parameter in action["parameters"]:
        of = model and model.types.get(parameter["name"])
        form = parameter["form"]
        if of is None:
            continue
        if form["kind"] in ("integer", "boolean"):
            # Some numbers and truths are text in the models.
            assert of in (KINDS[form["kind"]], str), parameter["name"]
        elif form["kind"] == "records":
            fields = inner(of)
            assert fields, f"{parameter['name']} has no records in the SDK"
            assert {field["name"] for field in form["of"]} <= fields.types.keys(), parameter["name"]
        elif form["kind"] == "list":
            assert typing.get_origin(of) is list, parameter["name"]


@each_action
def test_every_answered_field_is_one_of_the_sdk(service, version, action):
    model = model_of(service, action["name"] + "ResponseBody")
    assert model, "the SDK has no such answer"
    compare(action["answer"], model, "")


def compare(fields, model, path):
    """Asserts that fields are those of a model, with the same types."""
    for field in fields:
        name = f"{path}{field['name']}"
        assert field["name"] in model.types, f"{name} is not in the SDK's model"
        shape, of = field["shape"], model.types[field["name"]]
        while shape["kind"] == "items":
            assert typing.get_origin(of) is list, f"{name} is {of} in the SDK's model"
            shape, of = shape["of"], typing.get_args(of)[0]
        if shape["kind"] == "record":
            assert hasattr(of, "from_map"), f"{name} is {of} in the SDK's model"
            compare(shape["of"], Model(of), f"{name}.")
        elif shape["kind"] == "map":
            assert typing.get_origin(of) is dict, f"{name} is {of} in the SDK's model"
        else:
            assert of in (KINDS[shape["kind"]], typing.Any), f"{name} is {of} in the SDK's model"
