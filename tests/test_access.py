from __future__ import annotations

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services.tokens import issue_token, revoke_token
from tests.accounts.world import make_world, routes
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db

VISITORS = ["anon", "part", "expe", "coor", "orga", "judg", "comm", "admi", "part2", "expe2"]

TABLE = """
# Who gets what where. "expe" and "part" own the object, "expe2" and "part2" are strangers to it.
# "login": sent to log in, by htmx too. Methods that do not stand here get 405.
# route                 method object         anon  part expe coor orga judg comm admi part2 expe2
accounts:start          GET    -              login 302  302  302  302  302  302  302  302   302
accounts:login          GET    -              200   302  302  302  302  302  302  302  302   302
accounts:login          POST   -              200   302  302  302  302  302  302  302  302   302
accounts:logout         POST   -              login 302  302  302  302  302  302  302  302   302
accounts:forgotten      GET    -              200   200  200  200  200  200  200  200  200   200
accounts:forgotten      POST   -              200   200  200  200  200  200  200  200  200   200
accounts:invitation     GET    link           302   302  302  302  302  302  302  302  302   302
accounts:invitation     POST   link           302   302  302  302  302  302  302  302  302   302
accounts:account        GET    -              login 200  200  200  200  200  200  200  200   200
accounts:account        POST   -              login 200  200  200  200  200  200  200  200   200
accounts:password       GET    -              login 200  200  200  200  200  200  200  200   200
accounts:password       POST   -              login 200  200  200  200  200  200  200  200   200
accounts:drop_token     POST   key            login 404  302  404  404  404  404  404  404   404
accounts:people         GET    -              login 403  403  200  200  403  403  200  403   403
accounts:new_person     GET    -              login 403  403  200  200  403  403  200  403   403
accounts:new_person     POST   -              login 403  403  200  200  403  403  200  403   403
accounts:people_file    GET    -              login 403  403  302  302  403  403  302  403   403
accounts:people_file    POST   -              login 403  403  422  422  403  403  422  403   403
accounts:invite_many    GET    -              login 403  403  200  200  403  403  200  403   403
accounts:invite_many    POST   -              login 403  403  302  302  403  403  302  403   403
accounts:person         GET    colleague      login 403  403  200  200  403  403  200  403   403
accounts:person         POST   colleague      login 403  403  200  200  403  403  200  403   403
accounts:person         GET    administrator  login 403  403  404  404  403  403  200  403   403
accounts:person         POST   administrator  login 403  403  404  404  403  403  200  403   403
accounts:invite         POST   colleague      login 403  403  302  302  403  403  302  403   403
accounts:invite         POST   administrator  login 403  403  404  404  403  403  302  403   403
accounts:activity       GET    colleague      login 403  403  200  200  403  403  200  403   403
accounts:activity       GET    administrator  login 403  403  404  404  403  403  200  403   403
accounts:activity       POST   colleague      login 403  403  302  302  403  403  302  403   403
accounts:activity       POST   administrator  login 403  403  404  404  403  403  302  403   403

annotator:queue         GET    -              login 403  200  403  403  403  403  403  403   200
annotator:training      GET    -              login 200  403  403  403  403  403  403  200   403
annotator:import        GET    -              login 403  403  200  200  403  403  200  403   403
annotator:import        POST   -              login 403  403  200  200  403  403  200  403   403
annotator:imports       GET    -              login 403  403  200  200  403  403  200  403   403
annotator:imported      GET    import         login 403  403  200  200  403  403  200  403   403
annotator:imported      GET    preview        login 403  403  404  404  403  403  404  403   403
annotator:confirm_import POST  preview        login 403  403  404  404  403  403  404  403   403
annotator:drop_import   POST   preview        login 403  403  404  404  403  403  404  403   403
annotator:resume_import POST   import         login 403  403  302  302  403  403  302  403   403
annotator:undo_import   GET    import         login 403  403  200  200  403  403  200  403   403
annotator:undo_import   GET    preview        login 403  403  404  404  403  403  404  403   403
annotator:undo_import   POST   import         login 403  403  302  302  403  403  302  403   403
annotator:sets          GET    -              login 403  403  200  200  403  403  200  403   403
annotator:new_set       GET    -              login 403  403  200  200  403  403  200  403   403
annotator:new_set       POST   -              login 403  403  302  302  403  403  302  403   403
annotator:essay_set     GET    set            login 403  403  200  200  403  403  200  403   403
annotator:describe_set  GET    set            login 403  403  200  200  403  403  200  403   403
annotator:describe_set  POST   set            login 403  403  302  302  403  403  302  403   403
annotator:set_state     POST   set            login 403  403  302  302  403  403  302  403   403
annotator:publish_set   GET    finals         login 403  403  200  200  403  403  200  403   403
annotator:publish_set   POST   finals         login 403  403  302  302  403  403  302  403   403
annotator:new_rules     GET    set            login 403  403  200  200  403  403  200  403   403
annotator:new_rules     POST   set            login 403  403  302  302  403  403  302  403   403
annotator:drop_set      POST   finals         login 403  403  302  302  403  403  302  403   403
annotator:correct_essay GET    open-essay     login 403  403  200  200  403  403  200  403   403
annotator:correct_essay POST   open-essay     login 403  403  302  302  403  403  302  403   403
annotator:replace_essay GET    open-essay     login 403  403  200  200  403  403  200  403   403
annotator:replace_essay POST   open-essay     login 403  403  302  302  403  403  302  403   403
annotator:not_carried   POST   draft          login 403  302  403  403  403  403  403  403   404
annotator:essay         GET    assigned-essay login 404  200  200  200  200  200  200  404   404
annotator:essay         GET    open-essay     login 200  404  200  200  200  200  200  200   404
annotator:begin         POST   waiting        login 403  302  403  403  403  403  403  403   404
annotator:give_back     POST   waiting        login 403  302  403  403  403  403  403  403   404
annotator:markup        GET    draft          login 404  200  404  404  404  404  404  404   404
annotator:markup        GET    handed-in      login 404  200  200  200  200  200  200  404   404
annotator:markup        GET    algorithm      login 200  404  200  200  200  200  200  404   404
annotator:markup        GET    training       login 200  404  200  200  200  200  200  200   404
annotator:markup_json   GET    draft          login 404  200  404  404  404  404  404  404   404
annotator:markup_json   GET    handed-in      login 404  200  200  200  200  200  200  404   404
annotator:markup_json   GET    algorithm      login 200  404  200  200  200  200  200  404   404
annotator:markup_text   GET    draft          login 404  200  404  404  404  404  404  404   404
annotator:markup_text   GET    handed-in      login 404  200  200  200  200  200  200  404   404
annotator:markup_text   GET    algorithm      login 200  404  200  200  200  200  200  404   404
annotator:submit        POST   draft          login 403  302  403  403  403  403  403  403   404
annotator:fragments     POST   draft          login 403  200  403  403  403  403  403  403   404
annotator:fragments     POST   handed-in      login 403  409  403  403  403  403  403  403   404
annotator:fragment      GET    mark-of-draft  login 404  200  404  404  404  404  404  404   404
annotator:fragment      GET    mark-handed-in login 404  200  200  200  200  200  200  404   404
annotator:fragment      POST   mark-of-draft  login 403  200  403  403  403  403  403  403   404
annotator:fragment      POST   mark-handed-in login 403  409  403  403  403  403  403  403   404
annotator:drop          POST   mark-of-draft  login 403  200  403  403  403  403  403  403   404
annotator:drop          POST   mark-handed-in login 403  409  403  403  403  403  403  403   404
annotator:parts         GET    draft          login 403  200  403  403  403  403  403  403   404
annotator:parts         GET    handed-in      login 403  409  403  403  403  403  403  403   404
annotator:links         POST   draft          login 403  200  403  403  403  403  403  403   404
annotator:links         POST   handed-in      login 403  409  403  403  403  403  403  403   404
annotator:activity      POST   draft          login 403  204  403  403  403  403  403  403   404
annotator:activity      POST   handed-in      login 403  409  403  403  403  403  403  403   404
annotator:classifier    GET    english        login 200  200  200  200  200  200  200  200   200

compare:comparison      GET    pair           login 404  200  200  200  200  200  200  404   404
compare:comparison      GET    training-pair  login 200  404  200  200  200  200  200  200   404
compare:comparison      GET    test-pair      login 200  404  200  200  200  200  200  404   404
compare:chosen          GET    -              login 404  404  404  404  404  404  404  404   404
compare:several         GET    handed-in      login 404  200  200  200  200  200  200  404   404
compare:several         GET    training       login 200  404  200  200  200  200  200  200   404

review:desk             GET    -              login 403  403  200  200  200  200  200  403   403
review:protocol         GET    assigned-essay login 403  403  200  200  200  200  200  403   403
review:pupil            GET    assigned-essay login 403  403  422  422  422  422  422  403   403
review:pupil            GET    graded-essay   login 403  403  200  200  200  200  200  403   403
review:pupil_file       GET    assigned-essay login 403  403  422  422  422  422  422  403   403
review:pupil_file       GET    graded-essay   login 403  403  200  200  200  200  200  403   403
review:pupils           GET    graded-set     login 403  403  200  200  200  200  200  403   403
review:ask_act          GET    -              login 403  403  422  422  403  403  422  403   403
review:ask_act          POST   -              login 403  403  302  302  403  403  302  403   403
review:act              GET    act            login 403  403  200  200  403  403  200  403   403
review:undo_act         POST   act            login 403  403  302  302  403  403  302  403   403
review:problems         GET    -              login 403  403  200  200  200  200  200  403   403
review:retry_job        POST   job            login 403  403  302  302  403  403  302  403   403
review:checks           GET    assigned-essay login 403  403  200  200  200  200  200  403   403
review:assign           POST   assigned-essay login 403  403  302  302  403  403  302  403   403
review:take_away        POST   waiting        login 403  403  302  302  403  403  302  403   403
review:planning         GET    -              login 403  403  200  200  403  403  200  403   403
review:planning         POST   -              login 403  403  302  302  403  403  302  403   403
review:plan             GET    plan           login 403  403  200  200  403  403  200  403   403
review:plan             GET    plan-preview   login 403  403  404  404  403  403  404  403   403
review:confirm_plan     POST   plan           login 403  403  422  422  403  403  422  403   403
review:confirm_plan     POST   plan-preview   login 403  403  404  404  403  403  404  403   403
review:drop_plan        POST   plan-preview   login 403  403  404  404  403  403  404  403   403
review:withdraw_plan    POST   plan           login 403  403  302  302  403  403  302  403   403
review:plan_experts     GET    -              login 403  403  200  200  403  403  200  403   403
review:limit            POST   colleague      login 403  403  302  302  403  403  302  403   403
review:conflict         POST   -              login 403  403  302  302  403  403  302  403   403
review:drop_conflict    POST   conflict       login 403  403  302  302  403  403  302  403   403
review:pin              POST   assigned-essay login 403  403  302  302  403  403  302  403   403
review:unpin            POST   pin            login 403  403  302  302  403  403  302  403   403
scoring:state_points    POST   draft          login 403  200  403  403  403  403  403  403   404
scoring:state_points    POST   handed-in      login 403  409  403  403  403  403  403  403   404
review:reopen           POST   closed-check   login 403  403  302  302  403  403  302  403   403
review:deadlines        GET    -              login 403  403  200  200  200  200  200  403   403
review:extend           POST   -              login 403  403  302  302  403  403  302  403   403
review:terms            GET    closed-set     login 403  403  200  200  403  403  200  403   403
review:terms            POST   closed-set     login 403  403  302  302  403  403  302  403   403
review:calendar         GET    -              login 403  403  200  200  403  403  200  403   403
review:calendar         POST   -              login 403  403  302  302  403  403  302  403   403
review:drop_day         POST   calendar-day   login 403  403  302  302  403  403  302  403   403
review:trust_address    POST   refused        login 403  403  302  302  403  403  302  403   403
review:letters_language POST   -              login 403  302  403  403  403  403  403  403   302
review:taken            GET    third-draft    login 403  200  403  403  403  403  403  403   404
review:take             POST   third-draft    login 403  200  403  403  403  403  403  403   404
review:neither          POST   third-draft    login 403  200  403  403  403  403  403  403   404
review:reasons          POST   third-draft    login 403  200  403  403  403  403  403  403   404
review:settled          GET    settled        login 403  200  200  200  200  200  200  403   404
scoring:scores          GET    -              login 200  200  200  200  200  200  200  200   200
scoring:own_figures     GET    -              login 200  403  403  403  403  403  403  200   403
scoring:accuracy        GET    assigned-essay login 404  200  200  200  200  200  200  404   404
scoring:accuracy        GET    open-essay     login 200  404  200  200  200  200  200  200   404
scoring:comparison_json GET    pair           login 404  200  200  200  200  200  200  404   404
scoring:comparison_json GET    training-pair  login 200  404  200  200  200  200  200  200   404
scoring:comparison_json GET    test-pair      login 200  404  200  200  200  200  200  404   404
scoring:comparison_csv  GET    pair           login 404  200  200  200  200  200  200  404   404
scoring:comparison_csv  GET    training-pair  login 200  404  200  200  200  200  200  200   404
scoring:comparison_csv  GET    test-pair      login 404  404  200  200  200  200  200  404   404

schemes:schemes         GET    -              login 200  200  200  200  200  200  200  200   200
schemes:scheme          GET    scheme         login 200  200  200  200  200  200  200  200   200
schemes:scheme          POST   scheme         login 302  302  302  302  302  302  302  302   302
schemes:tool            GET    scheme-tool    login 200  200  200  200  200  200  200  200   200
schemes:tool            POST   scheme-tool    login 200  200  200  200  200  200  200  200   200
schemes:run             GET    scheme-run     login 200  404  200  200  404  404  200  404   404
schemes:run_csv         GET    scheme-run     login 200  404  200  200  404  404  200  404   404
schemes:run_json        GET    scheme-run     login 200  404  200  200  404  404  200  404   404
schemes:run_text        GET    scheme-text    login 200  404  200  200  404  404  200  404   404
schemes:explain         GET    scheme-item    login 200  404  200  200  404  404  200  404   404
schemes:drop_run        POST   scheme-run     login 302  404  302  302  404  404  302  404   404
schemes:keep_key        POST   scheme         login 302  302  302  302  302  302  302  302   302
schemes:key_file        GET    scheme-key     login 200  404  200  200  404  404  200  404   404
schemes:offer_key       POST   scheme-key     login 302  404  302  302  404  404  302  404   404
schemes:drop_key        POST   scheme-key     login 302  404  302  302  404  404  302  404   404
review:agreement        GET    -              login 403  403  200  200  200  200  200  403   403
review:agreement_pairs  GET    set            login 403  403  200  200  200  200  200  403   403
review:agreement_csv    GET    set            login 403  403  200  200  200  200  200  403   403
review:exports          GET    -              login 200  403  200  200  403  403  200  200   403
review:exports          POST   -              login 422  403  422  422  403  403  422  422   403
review:export           GET    export         login 200  403  404  404  403  403  404  404   403
review:export_file      GET    export         login 422  403  404  404  403  403  404  404   403
review:former_admin     GET    former-decision login 302  302  302  302  302  302  302  302   302
schemes:former_admin    GET    former-admin   login 302  302  302  302  302  302  302  302   302

api:api_keys            POST   -              401   401  401  401  401  401  401  401  401   401
api:api_schema          GET    -              200   200  200  200  200  200  200  200  200   200
api:api_essays          GET    -              401   200  200  200  200  200  200  200  200   200
api:api_essay           GET    assigned-essay 401   404  200  200  200  200  200  200  404   404
api:api_essay           GET    open-essay     401   200  404  200  200  200  200  200  200   404
api:api_markups         GET    assigned-essay 401   404  200  200  200  200  200  200  404   404
api:api_markups         GET    open-essay     401   200  404  200  200  200  200  200  200   404
api:api_markups         POST   assigned-essay 401   404  403  403  403  403  403  403  404   403
api:api_markups         POST   open-essay     401   201  403  403  403  403  403  403  201   403
api:api_markup          GET    draft          401   404  200  404  404  404  404  404  404   404
api:api_markup          GET    handed-in      401   404  200  200  200  200  200  200  404   404
api:api_markup          GET    algorithm      401   200  404  200  200  200  200  200  404   404
api:api_points          GET    draft          401   404  200  404  404  404  404  404  404   404
api:api_points          GET    handed-in      401   404  200  200  200  200  200  200  404   404
api:api_points          GET    algorithm      401   200  404  200  200  200  200  200  404   404
api:api_essay_points    GET    assigned-essay 401   404  200  200  200  200  200  200  404   404
api:api_essay_points    GET    open-essay     401   200  404  200  200  200  200  200  200   404
api:api_comparison      GET    pair           401   404  200  200  200  200  200  200  404   404
api:api_comparison      GET    test-pair      401   404  404  200  200  200  200  200  404   404
api:api_scores          GET    handed-in      401   404  200  200  200  200  200  200  404   404
api:api_scores          GET    algorithm      401   200  404  200  200  200  200  200  404   404
api:api_star            GET    -              401   200  200  200  200  200  200  200  200   200
api:api_sets            GET    -              401   403  403  200  200  200  200  200  403   403
api:api_sets            POST   -              401   403  403  201  201  403  403  201  403   403
api:api_set             GET    set            401   403  403  200  200  200  200  200  403   403
api:api_states          GET    set            401   403  403  200  200  200  200  200  403   403
api:api_results         GET    set            401   403  403  200  200  200  200  200  403   403
api:api_imports         GET    -              401   403  403  200  200  403  403  200  403   403
api:api_imports         POST   -              401   403  403  400  400  403  403  400  403   403
api:api_import          GET    import         401   403  403  200  200  403  403  200  403   403
api:api_import_files    GET    import         401   403  403  200  200  403  403  200  403   403
api:api_confirm_import  POST   preview        401   403  403  404  404  403  403  404  403   403
api:api_assignments     GET    -              401   403  403  200  200  200  200  200  403   403
api:api_assignments     POST   -              401   403  403  400  400  403  403  400  403   403
api:api_withdraw        POST   waiting        401   403  403  200  200  403  403  200  403   403
api:api_submissions     GET    -              401   200  403  403  403  403  403  403  200   403
api:api_submission      GET    algorithm      401   200  403  403  403  403  403  403  404   403
api:api_schemes         GET    -              401   200  200  200  200  200  200  200  200   200
api:api_scheme_runs     GET    scheme         401   200  200  200  200  200  200  200  200   200
api:api_scheme_runs     POST   scheme         401   201  201  201  201  201  201  201  201   201
api:api_scheme_run      GET    scheme-run     401   200  404  200  200  404  404  200  404   404
api:api_scheme_run      DELETE scheme-run     401   204  404  204  204  404  404  204  404   404
api:api_scheme_items    GET    scheme-run     401   200  404  200  200  404  404  200  404   404
api:api_scheme_keys     GET    -              401   200  200  200  200  200  200  200  200   200
api:api_scheme_keys     POST   -              401   201  201  201  201  201  201  201  201   201
api:api_scheme_key      PATCH  scheme-key     401   400  404  400  400  404  404  400  404   404
api:api_scheme_key      DELETE scheme-key     401   204  404  204  204  404  404  204  404   404

health                  GET    -              200   200  200  200  200  200  200  200  200   200
set_language            GET    -              302   302  302  302  302  302  302  302  302   302
set_language            POST   -              302   302  302  302  302  302  302  302  302   302
admin:index             GET    -              302   302  302  302  302  302  302  200  302   302
admin:login             GET    -              login 403  403  403  403  403  403  302  403   403
admin:login             POST   -              login 403  403  403  403  403  403  302  403   403
"""
ROWS = [tuple(line.split()) for line in TABLE.splitlines() if line.strip() and line[0] != "#"]
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}
ANY_METHOD = {"accounts:login", "accounts:password", "accounts:invitation", "set_language"}
"""Django's own views, which read another method as GET or POST."""

PUBLIC_API = {"api:api_keys", "api:api_schema"}
API_ROUTES = sorted({name for name in routes() if name.startswith("api:")} - PUBLIC_API)


@pytest.fixture(scope="module")
def visitors(module_rows):  # noqa: ARG001 - the people are rows of the module
    """Who stands in the columns; None stands for nobody."""
    columns = {role[:4]: PersonFactory(role=role) for role in User.Role.values}
    columns |= {"anon": None, "part2": PersonFactory(role="participant"), "expe2": PersonFactory()}
    return {column: columns[column] for column in VISITORS}


@pytest.fixture(scope="module")
def world(visitors):
    return make_world(visitors["expe"], visitors["part"])


@pytest.fixture(scope="module")
def logins(visitors):
    """The cookie of everybody who is logged in."""
    return {person: cookie_of(person) for person in visitors.values() if person is not None}


def cookie_of(person):
    client = Client()
    client.force_login(person)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


@pytest.fixture
def ask(world, logins):
    """What a visitor gets; what the question changed is undone for the next one."""

    def answer(visitor, route, method, thing, **headers):
        client = Client(raise_request_exception=False, headers=headers)
        if visitor is not None:
            client.cookies[settings.SESSION_COOKIE_NAME] = logins[visitor]
        body = world.bodies.get(route, {}) if method == "POST" else {}
        is_api = route.startswith("api:")
        options = {"content_type": "application/json"} if is_api and method != "GET" else {}
        with transaction.atomic():
            address = reverse(route, kwargs=world.objects[thing])
            response = getattr(client, method.lower())(address, body, **options)
            transaction.set_rollback(True)
        return response

    return answer


def outcome(response, visitor):
    to_login = response.headers.get("Location", "").partition("?")[0] == reverse("accounts:login")
    return "login" if visitor is None and to_login else str(response.status_code)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row[:3]))
def test_everybody_gets_what_the_table_says(row, visitors, ask):
    found = {name: outcome(ask(who, *row[:3]), who) for name, who in visitors.items()}

    assert found == dict(zip(VISITORS, row[3:], strict=True))


def test_every_route_stands_in_the_table():
    declared = {row[0] for row in ROWS if not row[0].startswith("admin:")}

    assert (sorted(routes().keys() - declared), sorted(declared - routes().keys())) == ([], [])


@pytest.mark.parametrize("route", sorted(set(routes()) - ANY_METHOD))
def test_methods_outside_the_table_are_not_allowed(route, visitors, ask):
    rows = [row for row in ROWS if row[0] == route]
    missing = METHODS - {row[1] for row in rows}

    found = {
        (method, name): ask(person, route, method, rows[0][2]).status_code
        for method in missing
        for name, person in visitors.items()
        if name != "anon"
    }

    assert found == dict.fromkeys(found, 405)


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row[3] == "login"], ids=lambda row: " ".join(row[:3])
)
def test_htmx_takes_an_anonymous_visitor_to_the_login_page(row, ask):
    response = ask(None, *row[:3], hx_request="true")

    shown = (response.status_code, response["HX-Redirect"], response.content)
    assert shown == (286, reverse("accounts:login"), b"")


@pytest.mark.parametrize(
    ("page", "after"),
    [
        ("http://testserver/queue/?page=2", "?next=%2Fqueue%2F%3Fpage%3D2"),
        ("http://evil.example/queue/", ""),
        ("//", ""),
    ],
)
def test_the_login_leads_back_to_the_page_htmx_was_on(ask, page, after):
    response = ask(None, "annotator:markup", "GET", "draft", hx_request="true", hx_current_url=page)

    assert response["HX-Redirect"] == reverse("accounts:login") + after


def test_after_the_login_a_page_is_shown_and_nothing_is_done(ask):
    page = ask(None, "annotator:queue", "GET", "-")
    deed = ask(None, "accounts:activity", "POST", "colleague")

    assert (page["Location"], deed["Location"]) == ("/login/?next=/queue/", "/login/")


@pytest.fixture
def keys():
    """Headers that let nobody in."""
    person, closed = PersonFactory(), PersonFactory()
    good, revoked = issue_token(user=person, name="good"), issue_token(user=person, name="revoked")
    revoke_token(token=person.api_tokens.get(name="revoked"), actor=person)
    of_closed = issue_token(user=closed, name="closed")
    User.objects.filter(pk=closed.pk).update(is_active=False)
    return {
        "no key": {},
        "no word": {"authorization": "Token"},
        "an unknown key": {"authorization": f"Token {good[::-1]}"},
        "two keys": {"authorization": f"Token {good} {good}"},
        "another scheme": {"authorization": f"Bearer {good}"},
        "letters of no key": {"authorization": "Token \xff\xfe"},
        "a revoked key": {"authorization": f"Token {revoked}"},
        "the key of a closed account": {"authorization": f"Token {of_closed}"},
    }


@pytest.mark.parametrize("route", API_ROUTES)
def test_the_api_wants_a_valid_key(route, keys, ask):
    rows = [row for row in ROWS if row[0] == route]

    found = {
        (method, name): (response.status_code, response["WWW-Authenticate"])
        for _, method, thing, *_ in rows
        for name, headers in keys.items()
        for response in [ask(None, route, method, thing, **headers)]
    }

    assert found == dict.fromkeys(found, (401, "Token"))


def test_a_valid_key_opens_the_api_to_its_owner_only(world, visitors, ask):
    def asked_by(person):
        key = issue_token(user=person, name="program")
        header = f"Token {key}"
        return ask(None, "api:api_markup", "GET", "draft", authorization=header).status_code

    assert (asked_by(world.expert), asked_by(visitors["expe2"])) == (200, 404)
