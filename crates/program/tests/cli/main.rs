//! The real program in a temporary folder: whole outputs, exit codes, and the files it leaves. Times and memory are
//! masked, node counts are not.

mod answers;
mod audit;
mod bad_files;
mod bad_input;
mod bad_options;
mod certificates;
mod checkpoint;
mod cluster;
mod combinations;
mod compare;
mod course;
mod endings;
mod explain;
mod explore;
mod expressions;
mod generate;
mod interruption;
mod json;
mod limits;
mod names;
mod outputs;
mod pdb;
mod puzzles;
mod reading;
mod reproduce;
mod rules;
mod serve;
mod shared_data;
mod style;
mod support;
mod sweep;
mod text;
mod threads;
mod trace;
mod verify;
