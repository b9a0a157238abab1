//! The pieces' names and pictures: our own drawings of five animals, with a dot for each step.

use super::piece::Kind;
use kanzen_core::Figure;

/// The names and the picture of a piece.
pub fn figure(kind: Kind) -> &'static Figure {
    match kind {
        Kind::Lion => &LION,
        Kind::Giraffe => &GIRAFFE,
        Kind::Elephant => &ELEPHANT,
        Kind::Chick => &CHICK,
        Kind::Hen => &HEN,
    }
}

static LION: Figure = Figure {
    english: "lion",
    japanese: "ライオン",
    art: r##"<g fill="#b5651d"><circle r="11"/><circle cy="-11" r="4"/><circle cx="8" cy="-8" r="4"/><circle cx="11" r="4"/><circle cx="8" cy="8" r="4"/><circle cy="11" r="4"/><circle cx="-8" cy="8" r="4"/><circle cx="-11" r="4"/><circle cx="-8" cy="-8" r="4"/></g><circle r="9" fill="#f6c667"/><circle cx="-3.5" cy="-2" r="1.4"/><circle cx="3.5" cy="-2" r="1.4"/><path d="M-2 2h4l-2 2.4z"/><path d="M0 4.4v1.6m-3.5 0q1.75 2 3.5 0q1.75 2 3.5 0" fill="none" stroke="#000"/><g fill="#333"><circle cy="-17.5" r="1.5"/><circle cy="17.5" r="1.5"/><circle cx="-17.5" r="1.5"/><circle cx="17.5" r="1.5"/><circle cx="-16.5" cy="-16.5" r="1.5"/><circle cx="16.5" cy="-16.5" r="1.5"/><circle cx="-16.5" cy="16.5" r="1.5"/><circle cx="16.5" cy="16.5" r="1.5"/></g>"##,
};

static GIRAFFE: Figure = Figure {
    english: "giraffe",
    japanese: "きりん",
    art: r##"<path d="M-3 -5h7l2.5 19h-12z" fill="#f2c14e"/><g fill="#8a5a1c"><circle cx="0" cy="3" r="1.8"/><circle cx="2.5" cy="7.5" r="1.7"/><circle cx="-2" cy="10.5" r="2"/></g><path d="M-3 -9v-5m5 5v-5" stroke="#8a5a1c" stroke-width="1.6"/><circle cx="-3" cy="-14" r="1.5" fill="#8a5a1c"/><circle cx="2" cy="-14" r="1.5" fill="#8a5a1c"/><ellipse cx="-1.5" cy="-6.5" rx="6.5" ry="4.2" fill="#f2c14e"/><ellipse cx="-6" cy="-5.2" rx="3.2" ry="2.6" fill="#e0a030"/><circle cx="-1" cy="-7.4" r="1.2"/><circle cx="-6.8" cy="-5.6" r=".7"/><g fill="#333"><circle cy="-17.8" r="1.5"/><circle cy="17.5" r="1.5"/><circle cx="-17.5" r="1.5"/><circle cx="17.5" r="1.5"/></g>"##,
};

static ELEPHANT: Figure = Figure {
    english: "elephant",
    japanese: "ぞう",
    art: r##"<ellipse cx="-9.5" cy="-2" rx="5.5" ry="8" fill="#7d8ea3"/><ellipse cx="9.5" cy="-2" rx="5.5" ry="8" fill="#7d8ea3"/><circle cy="-3" r="8.5" fill="#9fb0c3"/><path d="M0 0v9q0 4 4 4q2.5 0 2.5 -2.5" fill="none" stroke="#9fb0c3" stroke-width="4.5" stroke-linecap="round"/><path d="M-2.2 6h4.4m-4.4 3h4.4" stroke="#7d8ea3"/><circle cx="-3.5" cy="-4" r="1.4"/><circle cx="3.5" cy="-4" r="1.4"/><g fill="#333"><circle cx="-16.5" cy="-16.5" r="1.5"/><circle cx="16.5" cy="-16.5" r="1.5"/><circle cx="-16.5" cy="16.5" r="1.5"/><circle cx="16.5" cy="16.5" r="1.5"/></g>"##,
};

static CHICK: Figure = Figure {
    english: "chick",
    japanese: "ひよこ",
    art: r##"<path d="M0 -9l-1.5 -4m1.5 4l2 -4" stroke="#e0a030" stroke-width="1.4"/><circle cy="1" r="10" fill="#ffe066"/><circle cx="-3.6" cy="-1.5" r="1.4"/><circle cx="3.6" cy="-1.5" r="1.4"/><path d="M-2.6 2h5.2l-2.6 3.4z" fill="#e8590c"/><path d="M-9.6 3q3 3 5 1m14.2 -1q-3 3 -5 1" fill="none" stroke="#e0a030" stroke-width="1.3"/><circle cy="-17.5" r="1.5" fill="#333"/>"##,
};

static HEN: Figure = Figure {
    english: "hen",
    japanese: "にわとり",
    art: r##"<g fill="#d6336c"><circle cx="-3.4" cy="-10" r="2.6"/><circle cy="-11.5" r="2.8"/><circle cx="3.4" cy="-10" r="2.6"/></g><circle cy="1" r="10" fill="#fff"/><circle cx="-3.6" cy="-1.5" r="1.4"/><circle cx="3.6" cy="-1.5" r="1.4"/><path d="M-2.6 2h5.2l-2.6 3.4z" fill="#e8590c"/><path d="M0 5.4q-2.6 2.2 0 4.6q2.6 -2.4 0 -4.6" fill="#d6336c"/><g fill="#333"><circle cy="-17.8" r="1.5"/><circle cy="17.5" r="1.5"/><circle cx="-17.5" r="1.5"/><circle cx="17.5" r="1.5"/><circle cx="-16.5" cy="-16.5" r="1.5"/><circle cx="16.5" cy="-16.5" r="1.5"/></g>"##,
};
