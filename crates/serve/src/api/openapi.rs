//! The description of the API, made from the types that it answers with.

use crate::api::{BatchAnswer, BatchRequest, ErrorAnswer, GamesAnswer, LineAnswer, PositionAnswer};
use utoipa::OpenApi;

/// The description.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Kanzen",
        version = "1",
        license(name = "MIT OR Apache-2.0"),
        description = "The value of any position of a solved board game, and of every move.\n\n\
            Limits: a body of 256 KiB, a batch of 1000 positions, a position of 400 bytes, an \
            address of 16 KiB, 15 seconds for an answer. Answers carry an ETag and may be kept for \
            an hour. Any origin may ask."
    ),
    paths(games, position, line, batch)
)]
pub struct Description;

#[utoipa::path(
    get, path = "/api/v1/games",
    responses((status = 200, description = "All games", body = GamesAnswer))
)]
#[expect(dead_code, reason = "it only carries the description")]
fn games() {}

#[utoipa::path(
    get, path = "/api/v1/{game}",
    params(
        ("game" = String, Path, description = "The game, as /api/v1/games names it"),
        ("position" = Option<String>, Query, description = "The position in the game's notation; the start if left out"),
        ("o" = Option<Vec<String>>, Query, description = "Options as name=value; may be given more than once"),
    ),
    responses(
        (status = 200, description = "The position", body = PositionAnswer),
        (status = 400, description = "The position or an option cannot be read", body = ErrorAnswer),
        (status = 404, description = "No such game, or no table of it", body = ErrorAnswer),
        (status = 503, description = "The table is damaged, or the server is busy", body = ErrorAnswer),
    )
)]
#[expect(dead_code, reason = "it only carries the description")]
fn position() {}

#[utoipa::path(
    get, path = "/api/v1/{game}/line",
    params(
        ("game" = String, Path, description = "The game"),
        ("position" = Option<String>, Query, description = "Where the line begins; the start if left out"),
        ("o" = Option<Vec<String>>, Query, description = "Options as name=value"),
    ),
    responses(
        (status = 200, description = "A best line", body = LineAnswer),
        (status = 400, description = "The position or an option cannot be read", body = ErrorAnswer),
        (status = 404, description = "No such game, or no table of it", body = ErrorAnswer),
        (status = 503, description = "The table is damaged, or the server is busy", body = ErrorAnswer),
    )
)]
#[expect(dead_code, reason = "it only carries the description")]
fn line() {}

#[utoipa::path(
    post, path = "/api/v1/{game}/batch",
    params(
        ("game" = String, Path, description = "The game"),
        ("o" = Option<Vec<String>>, Query, description = "Options as name=value"),
    ),
    request_body = BatchRequest,
    responses(
        (status = 200, description = "An answer for each position, or what is wrong with it", body = BatchAnswer),
        (status = 400, description = "The body or an option cannot be read", body = ErrorAnswer),
        (status = 404, description = "No such game, or no table of it", body = ErrorAnswer),
        (status = 413, description = "The body is too long", body = ErrorAnswer),
        (status = 503, description = "The table is damaged, or the server is busy", body = ErrorAnswer),
    )
)]
#[expect(dead_code, reason = "it only carries the description")]
fn batch() {}
