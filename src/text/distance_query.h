// Distance queries as JSON: one query a line, one answer a line.
//
//   {"a": {"shape": {"type": "box", "size": [1, 2, 3]}, "pose": {"position": [0, 0, 1], "quaternion": [1, 0, 0, 0]}},
//    "b": {"shape": {"type": "sphere", "radius": 0.5}, "pose": {"position": [2, 0, 0]}}}
//
// Shapes are those of models, but not rounded unless they say so. A pose without a position is in the origin, one
// without a quaternion is not turned; a quaternion need not be of unit length. The answer:
//
//   {"distance": 1.0, "normal": [...], "pointA": [...], "pointB": [...], "converged": true, "global": true,
//    "lowerBound": ..., "upperBound": ..., "iterations": 1, "surfaceA": {"kind": "face", "id": 0}, "surfaceB": {...},
//    "curvatureA": {"k1": 0.0, "k2": 0.0, "direction1": [...]}, "curvatureB": {...}}
//
// or {"error": "...", "line": 7}. A curvature that the shape does not know, and a number that is infinite (two
// half-spaces that overlap without end), is null.
#ifndef CR_TEXT_DISTANCE_QUERY_H
#define CR_TEXT_DISTANCE_QUERY_H

#include "text/element_reader.h"

typedef struct crDistanceQueries {
  crElementReader elements;
  crArena arena; // of the values of one query
} crDistanceQueries;

void crDistanceQueries_Init(crDistanceQueries* queries, const crAllocator* allocator);
void crDistanceQueries_Free(crDistanceQueries* queries);

// Writes the answer to one line, or what is wrong with it, with its number. cr_ok: it was answered.
crStatus crDistanceQueries_Answer(crDistanceQueries* queries, const char* text, size_t size, long line,
                                  crTextWriter writer);

// The same of four texts: shape A, pose A, shape B, pose B. An error has no line number then.
crStatus crDistanceQueries_AnswerParts(crDistanceQueries* queries, const char* const texts[4], crTextWriter writer);

#endif
