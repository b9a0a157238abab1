//! The description of the API, made from the list of endpoints and the types that they answer with.

use crate::api::endpoints::{ENDPOINTS, Endpoint};
use crate::api::{
    ApplyAnswer, BatchAnswer, BatchRequest, ErrorAnswer, FindAnswer, GamesAnswer, IndexAnswer,
    LineAnswer, PlayAnswer, PositionAnswer, PuzzlesAnswer, RulesAnswer, SolvesAnswer,
};
use kanzen_study::annotate::Annotated;
use kanzen_study::explain::Explained;
use utoipa::OpenApi;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, Schema, Type};
use utoipa::openapi::{Content, Ref, RefOr, Required, ResponseBuilder};

/// The types.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Kanzen",
        version = "1",
        license(name = "MIT OR Apache-2.0"),
        description = "The value of any position of a solved board game, and of every move.\n\n\
            Limits: a body of 256 KiB, a batch of 1000 positions, a position of 400 bytes, an \
            address of 16 KiB, 15 seconds for an answer. Answers carry an ETag and may be kept for \
            an hour. Any origin may ask. Parameters that an endpoint does not know are refused."
    ),
    components(schemas(
        ApplyAnswer,
        Annotated,
        BatchAnswer,
        BatchRequest,
        ErrorAnswer,
        Explained,
        FindAnswer,
        GamesAnswer,
        IndexAnswer,
        LineAnswer,
        PlayAnswer,
        PositionAnswer,
        PuzzlesAnswer,
        RulesAnswer,
        SolvesAnswer
    ))
)]
struct Types;

/// The whole description.
pub fn description() -> utoipa::openapi::OpenApi {
    let mut document = Types::openapi();
    for endpoint in ENDPOINTS {
        let method = if endpoint.method == "POST" { HttpMethod::Post } else { HttpMethod::Get };
        document.paths.add_path_operation(endpoint.path, vec![method], operation(endpoint));
    }
    document
}

fn reference(name: &str) -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(name))
}

fn text() -> Schema {
    Schema::Object(ObjectBuilder::new().schema_type(Type::String).build())
}

fn operation(endpoint: &Endpoint) -> Operation {
    let answer = match endpoint.answer {
        "" => {
            let any = Some(AdditionalProperties::<Schema>::FreeForm(true));
            let object = ObjectBuilder::new().schema_type(Type::Object).additional_properties(any);
            RefOr::T(Schema::Object(object.build()))
        }
        "svg" | "png" => RefOr::T(text()),
        name => reference(name),
    };
    let media = match endpoint.answer {
        "svg" => "image/svg+xml",
        "png" => "image/png",
        _ => "application/json",
    };
    let answered = ResponseBuilder::new()
        .description(endpoint.about.en)
        .content(media, Content::new(Some(answer)));
    let mut operation =
        OperationBuilder::new().summary(Some(endpoint.about.en)).response("200", answered.build());
    let of_game = endpoint.path.contains("{game}");
    let troubles = [
        ("400", "A parameter, the position or an option is wrong", true),
        ("404", "There is no such game, or no table of it", of_game),
        ("413", "The body is too long", endpoint.method == "POST"),
        ("503", "The table is damaged, or the server is busy", of_game),
    ];
    for (status, about, _) in troubles.into_iter().filter(|(.., may)| *may) {
        let content = Content::new(Some(reference("ErrorAnswer")));
        let trouble = ResponseBuilder::new().description(about);
        operation =
            operation.response(status, trouble.content("application/json", content).build());
    }
    if of_game {
        let game = ParameterBuilder::new().name("game").parameter_in(ParameterIn::Path);
        let game = game.required(Required::True).schema(Some(text()));
        operation = operation
            .parameter(game.description(Some("The game, as /api/v1/games names it")).build());
    }
    for parameter in endpoint.parameters {
        let many = Schema::Array(ArrayBuilder::new().items(RefOr::T(text())).build());
        let schema = if parameter.name == "o" { many } else { text() };
        let query = ParameterBuilder::new().name(parameter.name).parameter_in(ParameterIn::Query);
        let query = query.required(Required::False).schema(Some(schema));
        operation = operation.parameter(query.description(Some(parameter.about)).build());
    }
    if endpoint.method == "POST" {
        let content = Content::new(Some(reference("BatchRequest")));
        let body = RequestBodyBuilder::new().content("application/json", content);
        operation = operation.request_body(Some(body.required(Some(Required::True)).build()));
    }
    operation.build()
}
