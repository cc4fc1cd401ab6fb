"""The stub of a Qdrant server over gRPC: every call becomes the request of its REST interface that asks the same, and
its answer comes back, both by the conversions of qdrant-client.

The services are those of the client's own protocol, over a real channel.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import grpc
from pydantic import BaseModel, TypeAdapter
from qdrant_client import grpc as wire
from qdrant_client import models
from qdrant_client.conversions.conversion import GrpcToRest, RestToGrpc
from qdrant_client.grpc.collections_service_pb2_grpc import CollectionsServicer, add_CollectionsServicer_to_server
from qdrant_client.grpc.points_service_pb2_grpc import PointsServicer, add_PointsServicer_to_server
from qdrant_client.grpc.qdrant_pb2_grpc import QdrantServicer, add_QdrantServicer_to_server

from tests.engines.qdrant_stub import Stub

STATUS = {
    401: grpc.StatusCode.UNAUTHENTICATED,
    403: grpc.StatusCode.PERMISSION_DENIED,
    404: grpc.StatusCode.NOT_FOUND,
    500: grpc.StatusCode.INTERNAL,
}
FIELD_TYPES = {
    wire.FieldTypeInteger: "integer",
    wire.FieldTypeFloat: "float",
    wire.FieldTypeBool: "bool",
    wire.FieldTypeKeyword: "keyword",
}
DONE = wire.PointsOperationResponse(result=wire.UpdateResult(operation_id=0, status=wire.UpdateStatus.Completed))


class Asking:
    """Sends requests on to a stub of the REST interface."""

    def __init__(self, stub: Stub) -> None:
        self.stub = stub

    def ask(self, context: Any, method: str, path: str, body: Any = None) -> Any:
        told = without_nothing(body.model_dump(mode="json")) if isinstance(body, BaseModel) else body
        self.stub.asked.append((method, path, told))
        self.stub.keys.add(dict(context.invocation_metadata()).get("api-key"))
        status, said = (self.stub.refusing, "no") if self.stub.refusing else self.stub.answer(method, path, told)
        if status != 200:
            context.abort(STATUS[status], said)
        return said


def without_nothing(told: Any) -> Any:
    """Protocol buffers know no difference between a list that is empty and one that was not given."""
    if isinstance(told, dict):
        return {name: without_nothing(value) for name, value in told.items() if value not in (None, [])}
    return [without_nothing(value) for value in told] if isinstance(told, list) else told


def place(request: Any, action: str = "") -> str:
    return "/".join(filter(None, ("/collections", quote(request.collection_name, safe=""), action)))


class Root(QdrantServicer, Asking):
    def HealthCheck(self, request: Any, context: Any) -> Any:
        said = self.ask(context, "GET", "/")
        return wire.HealthCheckReply(title=said["title"], version=said["version"])


class Collections(CollectionsServicer, Asking):
    def CollectionExists(self, request: Any, context: Any) -> Any:
        said = self.ask(context, "GET", place(request, "exists"))
        return wire.CollectionExistsResponse(result=wire.CollectionExists(**said))

    def Get(self, request: Any, context: Any) -> Any:
        said = self.ask(context, "GET", place(request))
        return wire.GetCollectionInfoResponse(result=RestToGrpc.convert_collection_info(said))

    def Create(self, request: Any, context: Any) -> Any:
        codes = request.quantization_config if request.HasField("quantization_config") else None
        created = models.CreateCollection(
            vectors=GrpcToRest.convert_vectors_config(request.vectors_config),
            hnsw_config=GrpcToRest.convert_hnsw_config_diff(request.hnsw_config),
            optimizers_config=GrpcToRest.convert_optimizers_config_diff(request.optimizers_config),
            quantization_config=None if codes is None else GrpcToRest.convert_quantization_config(codes),
        )
        return wire.CollectionOperationResponse(result=self.ask(context, "PUT", place(request), created))

    def Delete(self, request: Any, context: Any) -> Any:
        return wire.CollectionOperationResponse(result=self.ask(context, "DELETE", place(request)))


class Points(PointsServicer, Asking):
    def Query(self, request: Any, context: Any) -> Any:
        said = self.ask(context, "POST", place(request, "points/query"), GrpcToRest.convert_query_points(request))
        return wire.QueryResponse(result=scored(said))

    def QueryBatch(self, request: Any, context: Any) -> Any:
        searches = [GrpcToRest.convert_query_points(own) for own in request.query_points]
        body = models.QueryRequestBatch(searches=searches)
        said = self.ask(context, "POST", place(request, "points/query/batch"), body)
        return wire.QueryBatchResponse(result=[wire.BatchResult(result=scored(own)) for own in said])

    def Count(self, request: Any, context: Any) -> Any:
        body = models.CountRequest(filter=filter_of(request), exact=request.exact)
        return wire.CountResponse(
            result=wire.CountResult(**self.ask(context, "POST", place(request, "points/count"), body))
        )

    def Scroll(self, request: Any, context: Any) -> Any:
        offset = GrpcToRest.convert_point_id(request.offset) if request.HasField("offset") else None
        body = models.ScrollRequest(filter=filter_of(request), limit=request.limit, offset=offset)
        said = self.ask(context, "POST", place(request, "points/scroll"), body)
        following = said["next_page_offset"]
        return wire.ScrollResponse(
            result=records(said["points"]),
            next_page_offset=None if following is None else RestToGrpc.convert_extended_point_id(following),
        )

    def Get(self, request: Any, context: Any) -> Any:
        body = models.PointRequest(
            ids=[GrpcToRest.convert_point_id(own) for own in request.ids],
            with_payload=GrpcToRest.convert_with_payload_selector(request.with_payload),
            with_vector=GrpcToRest.convert_with_vectors_selector(request.with_vectors),
        )
        said = self.ask(context, "POST", place(request, "points"), body)
        return wire.GetResponse(result=records(said if body.with_vector else [own | {"vector": None} for own in said]))

    def Upsert(self, request: Any, context: Any) -> Any:
        points = [GrpcToRest.convert_point_struct(own) for own in request.points]
        told = [own.model_dump(mode="json") for own in points]
        batch = {f"{name}s": [own[name] for own in told] for name in ("id", "vector", "payload")}
        self.ask(context, "PUT", place(request, "points"), {"batch": batch})
        return DONE

    def UpdateVectors(self, request: Any, context: Any) -> Any:
        points = [GrpcToRest.convert_point_vectors(own) for own in request.points]
        self.ask(context, "PUT", place(request, "points/vectors"), models.UpdateVectors(points=points))
        return DONE

    def Delete(self, request: Any, context: Any) -> Any:
        body = GrpcToRest.convert_points_selector(request.points)
        self.ask(context, "POST", place(request, "points/delete"), body)
        return DONE

    def CreateFieldIndex(self, request: Any, context: Any) -> Any:
        body = models.CreateFieldIndex(
            field_name=request.field_name, field_schema=models.PayloadSchemaType(FIELD_TYPES[request.field_type])
        )
        self.ask(context, "PUT", place(request, "index"), body)
        return DONE


SERVICES: dict[Any, type[Asking]] = {
    add_QdrantServicer_to_server: Root,
    add_CollectionsServicer_to_server: Collections,
    add_PointsServicer_to_server: Points,
}


def filter_of(request: Any) -> Any:
    return GrpcToRest.convert_filter(request.filter) if request.HasField("filter") else None


def scored(found: Any) -> list[Any]:
    points = TypeAdapter(list[models.ScoredPoint]).validate_python(found["points"])
    return [
        wire.ScoredPoint(id=RestToGrpc.convert_extended_point_id(own.id), version=own.version, score=own.score)
        for own in points
    ]


def records(found: Any) -> list[Any]:
    points = TypeAdapter(list[models.Record]).validate_python(found)
    return [RestToGrpc.convert_retrieved_point(own.model_copy(update={"payload": own.payload or {}})) for own in points]


@contextmanager
def over_grpc(stub: Stub) -> Iterator[int]:
    """The port at which a stub also answers over gRPC."""
    server = grpc.server(ThreadPoolExecutor(4), options=[("grpc.max_receive_message_length", 32 * 2**20)])
    for register, services in SERVICES.items():
        register(services(stub), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield port
    finally:
        server.stop(None).wait()
