"""What the API refuses is described, so that programs can be written against the description alone."""

import io

import pytest
import yaml
from django.contrib.auth import get_user_model
from django.core.management import call_command
from rest_framework.test import APIClient

from tests.web.recorded_study import make_study


@pytest.fixture(scope="module")
def schema():
    out = io.StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    return yaml.safe_load(out.getvalue())


def test_every_read_endpoint_describes_its_refusals(schema):
    for path, operations in schema["paths"].items():
        if "get" in operations:
            assert {"200", "400", "401", "403", "404"} <= set(operations["get"]["responses"]), path


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "known", "status", "name"),
    [
        ("/api/studies/", False, 403, "Refusal"),
        ("/api/studies/none/", True, 404, "Refusal"),
        ("/api/studies/?page=0", True, 404, "Refusal"),
        ("/api/studies/?status=nonsense", True, 400, "WrongQuery"),
        ("/api/studies/?page_size=ten", True, 400, "WrongQuery"),
        ("/api/studies/?page_size=0", True, 400, "WrongQuery"),
        ("/api/studies/?status=%00", True, 404, "Refusal"),
        ("/api/no/such/place/", True, 404, "Refusal"),
    ],
)
def test_refusals_have_the_shape_that_is_described(schema, address, known, status, name):
    client = APIClient()
    if known:
        client.force_authenticate(get_user_model().objects.create_superuser("ada", password="x"))
    answer = client.get(address)
    assert answer.status_code == status
    described = schema["paths"]["/api/studies/"]["get"]["responses"][str(status)]
    assert described["content"]["application/json"]["schema"]["$ref"].endswith(f"/{name}")
    if name == "Refusal":
        assert isinstance(answer.json()["detail"], str)
    else:
        assert all(isinstance(word, str) for words in answer.json().values() for word in words)


@pytest.mark.django_db
def test_what_a_token_is_refused_for_is_described(schema):
    asked = schema["paths"]["/api/token/"]["post"]
    answer = APIClient().post("/api/token/", {"username": "", "password": ""})
    assert answer.status_code == 400
    assert set(answer.json()) == {"username", "password"}
    assert asked["responses"]["400"]["content"]["application/json"]["schema"]["$ref"].endswith("/WrongQuery")
    fields = schema["components"]["schemas"]["AuthTokenRequest"]["properties"]
    assert fields["username"]["minLength"] == fields["password"]["minLength"] == 1


def test_pages_and_their_sizes_are_described_as_beginning_at_one(schema):
    asked = schema["paths"]["/api/studies/"]["get"]["parameters"]
    least = {one["name"]: one["schema"].get("minimum") for one in asked if one["name"].startswith("page")}
    assert least == {"page": 1, "page_size": 1}


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["versions=apart", "excluded=perhaps", "since=yesterday"])
def test_a_filter_that_makes_no_sense_is_named(query):
    study = make_study()
    client = APIClient()
    client.force_authenticate(get_user_model().objects.create_superuser("ada", password="x"))
    answer = client.get(f"/api/studies/{study.slug}/results/?{query}")
    assert answer.status_code == 400
    assert answer.json()[0].startswith(query.partition("=")[0])


@pytest.mark.django_db
def test_a_page_is_as_long_as_asked_for_up_to_a_thousand():
    client = APIClient()
    client.force_authenticate(get_user_model().objects.create_superuser("ada", password="x"))
    assert client.get("/api/studies/?page_size=99999999999999999999").status_code == 200
