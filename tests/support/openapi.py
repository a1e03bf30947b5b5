#!/usr/bin/env python3
"""Checks what the server answers against its contract, docs/openapi.yaml.

The first line of the input is the contract as JSON, and each other line is a case:
  {"case": words, "operation": id, "status": 200, "headers": {}, "body": text}   an answer
  {"case": words, "schema": name, "text": JSON}    a value, by a schema of the contract
  {"case": words, "examples": true}                the examples in the contract itself
Prints the faults, one a line, each after the words of its case. A keyword or a format that is not
checked here is a fault of the contract.
"""
import json
import re
import sys

from jsonschema import Draft202012Validator, FormatChecker, RefResolver, ValidationError, validators

ANNOTATIONS = {"description", "examples", "example", "default", "title", "contentMediaType"}
COMBINED = ("allOf", "anyOf", "oneOf")
FORMATS = {
    "date-time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z",
    "email": r"[^@\s]+@[^@\s]+",
    "password": r"(?s).*",
    "uri": r'[a-z]+:[^\x00- "]*',
    "uri-reference": r'[^\x00- "]+',
}
# Errors that any call can have. The contract documents them as `default`.
ANY_CALL = (400, 401, 405, 413, 415, 429, 500, 503, 507)
# Headers that only some statuses have, as their descriptions say.
DUE = {"allow": (405,), "retry-after": (429, 503, 507), "content-range": (206,)}


class Contract:
    def __init__(self, document):
        self.document = document
        self.unchecked = []
        keywords = {"documented": self.check_names}
        self.validator = validators.extend(Draft202012Validator, keywords)
        self.resolver = RefResolver.from_schema(document)
        self.formats = FormatChecker(formats=())
        for name, pattern in FORMATS.items():
            whole = re.compile(pattern, re.ASCII)
            self.formats.checks(name)(
                lambda value, whole=whole: not isinstance(value, str) or whole.fullmatch(value))
        for schema in document["components"]["schemas"].values():
            self.prepare(schema, is_part=True)
        self.prepare_in(document.get("paths"))
        self.prepare_in(document["components"])

    def prepare(self, schema, is_part=False):
        """Notes what is not checked. A schema that is no part of another names all fields."""
        unknown = schema.keys() - self.validator.VALIDATORS.keys() - ANNOTATIONS
        if unknown or schema.get("format", "uri") not in FORMATS:
            self.unchecked.append(f"not checked here: {schema}")
        if not is_part:
            schema["documented"] = True
        for keyword in COMBINED:
            for part in schema.get(keyword, ()):
                self.prepare(part, is_part=True)
        for inner in schema.get("properties", {}).values():
            self.prepare(inner)
        for keyword in ("items", "additionalProperties", "propertyNames"):
            if keyword in schema:
                self.prepare(schema[keyword])

    def prepare_in(self, node):
        """Prepares the schemas of parameters, headers and contents."""
        if isinstance(node, list):
            for inner in node:
                self.prepare_in(inner)
        if isinstance(node, dict):
            for key, inner in node.items():
                if key == "schema":
                    self.prepare(inner)
                elif key != "schemas":
                    self.prepare_in(inner)

    def target(self, node):
        while "$ref" in node:
            node = self.resolver.resolve(node["$ref"])[1]
        return node

    def named(self, schema):
        """The fields that a schema and its parts name; None if it allows any."""
        if "additionalProperties" in schema:
            return None
        parts = [part for keyword in COMBINED for part in schema.get(keyword, ())]
        if "$ref" in schema:
            parts.append(self.target(schema))
        found = [names for part in parts if (names := self.named(part)) is not None]
        if "properties" in schema:
            found.append(set(schema["properties"]))
        return set().union(*found) if found else None

    def check_names(self, validator, _, instance, schema):
        """Clients accept unknown fields, but a server that sends them breaks its contract."""
        names = self.named(schema)
        if isinstance(instance, dict) and names is not None:
            for field in instance.keys() - names:
                yield ValidationError(f"a field that nothing documents: {field}")

    def faults(self, schema, value):
        schema = {**schema, "documented": True}
        check = self.validator(schema, resolver=self.resolver, format_checker=self.formats)
        return [f"{error.json_path}: {error.message}" for error in check.iter_errors(value)]

    def answer_faults(self, operation, status, headers, body):
        responses = next(item["responses"] for path in self.document["paths"].values()
                         for item in path.values()
                         if isinstance(item, dict) and item.get("operationId") == operation)
        if str(status) not in responses and status not in ANY_CALL:
            return ["the status is not documented"]
        response = self.target(responses.get(str(status), responses["default"]))
        any_call = self.document["components"]["responses"]["AnyCall"]["headers"]
        wanted = {**{name: header for name, header in any_call.items()
                     if name.startswith("RateLimit-")}, **response.get("headers", {})}
        faults = []
        for name, header in wanted.items():
            faults += self.header_faults(name.lower(), self.target(header), status, headers)
        if status == 401 and "www-authenticate" not in headers:
            faults.append("a 401 without WWW-Authenticate")
        if status in DUE["retry-after"] and "retry-after" not in headers:
            faults.append(f"a {status} without Retry-After")
        return faults + self.content_faults(response.get("content"), status, headers, body)

    def header_faults(self, name, header, status, headers):
        if name not in headers:
            return [f"no header {name}"] if status in DUE.get(name, (status,)) else []
        text = headers[name]
        is_number = header["schema"].get("type") == "integer" and re.fullmatch("-?[0-9]+", text)
        value = int(text) if is_number else text
        return [f"{name}: {fault}" for fault in self.faults(header["schema"], value)]

    def content_faults(self, content, status, headers, body):
        header = headers.get("content-type")
        if content is None or header is None:
            return [fault for fault, is_wrong in (
                ("content of a type, and none is documented", content is None and header),
                ("a body, and none is documented", content is None and body),
                ("no Content-Type", content is not None)) if is_wrong]
        media_type = header.split(";")[0].lower()
        if media_type not in content:
            return [f"a type that is not documented: {header}"]
        schema = content[media_type].get("schema")
        if schema is not None and media_type == "text/event-stream":
            events = events_in(body)
            faults = [fault for event in events for fault in self.faults(schema, event)]
            return faults if events else ["a stream without events"]
        if schema is None or not media_type.endswith("json"):
            return []
        value = parsed(body)
        faults = self.faults(schema, value)
        if status >= 400 and not (isinstance(value, dict) and value.get("status") == status):
            faults.append("the body has another status")
        return faults

    def example_faults(self, node, place):
        faults = []
        if isinstance(node, list):
            for item in node:
                faults += self.example_faults(item, place)
        if isinstance(node, dict):
            cases = [(node, example) for example in node.get("examples", ())]
            if "schema" in node and "example" in node:
                cases.append((node["schema"], node["example"]))
            for schema, example in cases:
                faults += [f"{place}: {fault}" for fault in self.faults(schema, example)]
            for key, inner in node.items():
                if key not in ("examples", "example"):
                    faults += self.example_faults(inner, f"{place}.{key}")
        return faults

    def case_faults(self, case):
        if "examples" in case:
            return self.example_faults(self.document, "")
        try:
            if "schema" in case:
                schema = {"$ref": f"#/components/schemas/{case['schema']}"}
                return self.faults(schema, parsed(case["text"]))
            return self.answer_faults(
                case["operation"], case["status"], case["headers"], case["body"])
        except ValueError as error:
            return [f"not JSON: {error}"]


def unique(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(f"a name twice in {names}")
    return dict(pairs)


def refuse(constant):
    raise ValueError(constant)


def parsed(text):
    value = json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    json.dumps(value, ensure_ascii=False).encode()  # raises ValueError if it is not UTF-8
    return value


def events_in(stream):
    """The events of a stream that have data, which is JSON."""
    events = []
    for block in stream.split("\n\n")[:-1]:
        event = dict(re.findall("^([^:]+): (.*)$", block, re.M))
        if "data" in event:
            events.append({**event, "data": parsed(event["data"])})
    return events


def main():
    lines = sys.stdin.buffer.read().decode(errors="surrogateescape").split("\n")
    contract = Contract(json.loads(lines[0]))
    faults = contract.unchecked
    for line in filter(None, lines[1:]):
        case = json.loads(line)
        faults += [f"{case['case']}: {fault}" for fault in contract.case_faults(case)]
    for fault in faults:
        print(fault.replace("\n", " ").encode(errors="backslashreplace").decode())


main()
