// carom distance: signed distances of two shapes, for bug reports and scripts.
#include "base/platform.h"
#include "cli.h"
#include "text/distance_query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CR_FIRST_BUFFER 65536 // [bytes] of input; grows to the longest line

// Lines of standard input as they come.
typedef struct Lines {
  char* buffer;
  size_t size, start, end; // what was read and not yet handed out is [start, end)
  bool isAtEnd;
} Lines;

// Makes room behind `end`. False: out of memory.
static bool makeRoom(Lines* lines)
{
  if (lines->start > 0) {
    memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
    lines->end -= lines->start;
    lines->start = 0;
  }
  if (lines->end < lines->size) {
    return true;
  }
  size_t size = lines->size > 0 ? 2 * lines->size : CR_FIRST_BUFFER;
  char* buffer = size > lines->size ? realloc(lines->buffer, size) : NULL;
  if (buffer == NULL) {
    return false;
  }
  lines->buffer = buffer;
  lines->size = size;
  return true;
}

// Reads what is there, and waits when nothing is: whoever asks gets the answers so far before that.
static bool readMore(Lines* lines)
{
  if (!makeRoom(lines)) {
    errno = ENOMEM;
    return false;
  }
  (void)fflush(stdout); // a failure stays with the stream
  ssize_t count;
  do {
    count = read(STDIN_FILENO, lines->buffer + lines->end, lines->size - lines->end);
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    return false;
  }
  lines->isAtEnd = count == 0;
  lines->end += (size_t)count;
  return true;
}

// The next line without its end. 1: there is one, 0: there is none, -1: the input cannot be read.
static int nextLine(Lines* lines, const char** outText, size_t* outSize)
{
  size_t searched = 0;
  for (;;) {
    char* from = lines->buffer + lines->start;
    size_t waiting = lines->end - lines->start;
    char* found = waiting > searched ? memchr(from + searched, '\n', waiting - searched) : NULL;
    if (found != NULL || (lines->isAtEnd && waiting > 0)) {
      *outText = from;
      *outSize = found != NULL ? (size_t)(found - from) : waiting;
      lines->start += *outSize + (found != NULL);
      return 1;
    }
    if (lines->isAtEnd) {
      return 0;
    }
    searched = waiting;
    if (!readMore(lines)) {
      return -1;
    }
  }
}

static bool isBlank(const char* text, size_t size)
{
  for (size_t i = 0; i < size; ++i) {
    if (strchr(" \t\r", text[i]) == NULL || text[i] == '\0') {
      return false;
    }
  }
  return true;
}

static int answerLines(crDistanceQueries* queries)
{
  Lines lines = { .buffer = NULL };
  crTextWriter writer = crMakeStreamWriter(stdout);
  const char* text;
  size_t size;
  int code = CR_EXIT_OK, more;
  long number = 0;
  while ((more = nextLine(&lines, &text, &size)) == 1 && !ferror(stdout)) {
    ++number;
    if (!isBlank(text, size) && crDistanceQueries_Answer(queries, text, size, number, writer) != cr_ok) {
      code = CR_EXIT_MODEL;
    }
  }
  if (more < 0) {
    perror("carom: cannot read the input");
    code = CR_EXIT_MODEL;
  }
  free(lines.buffer);
  return code;
}

static int run(int argc, char** argv)
{
  if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    fputs(crDistanceVerb.help, stdout);
    return CR_EXIT_OK;
  }
  if (argc > 1 && argv[1][0] == '-') {
    return crUsageError("distance", "unknown option '%s'", argv[1]);
  }
  if (argc != 1 && argc != 5) {
    return crUsageError("distance", "SHAPE_A POSE_A SHAPE_B POSE_B are four arguments, not %d", argc - 1);
  }
  crDistanceQueries queries;
  crDistanceQueries_Init(&queries, NULL);
  int code = CR_EXIT_OK;
  if (argc == 1) {
    code = answerLines(&queries);
  } else {
    const char* const parts[4] = { argv[1], argv[2], argv[3], argv[4] };
    crStatus status = crDistanceQueries_AnswerParts(&queries, parts, crMakeStreamWriter(stdout));
    code = status == cr_ok ? CR_EXIT_OK : CR_EXIT_MODEL;
  }
  crDistanceQueries_Free(&queries);
  return code;
}

const crVerb crDistanceVerb = {
  .name = "distance",
  .summary = "compute signed distances of two shapes, given as JSON",
  .help = "usage: carom distance SHAPE_A POSE_A SHAPE_B POSE_B\n"
          "       carom distance < QUERIES\n"
          "\n"
          "Prints the signed distance of two shapes with its normal, the nearest points and\n"
          "bounds, as one line of JSON: distance > 0 apart, < 0 overlapping; the normal points from\n"
          "A to B, and pointB - pointA = distance x normal. Without arguments it answers queries from\n"
          "standard input, one a line:\n"
          "\n"
          "  {\"a\": {\"shape\": SHAPE, \"pose\": POSE}, \"b\": {\"shape\": SHAPE, \"pose\": POSE}}\n"
          "\n"
          "A line that is wrong gets {\"error\": ..., \"line\": ...} in its place, the others are answered.\n"
          "\n"
          "  shapes   {\"type\":\"sphere\",\"radius\":r}            {\"type\":\"box\",\"size\":[x,y,z]}\n"
          "           {\"type\":\"capsule\",\"radius\":r,\"length\":l}   along z, length of the cylindrical part\n"
          "           {\"type\":\"cylinder\",\"radius\":r,\"length\":l}  along z\n"
          "           {\"type\":\"cone\",\"radius\":r,\"length\":l}      from the base at the origin to +z\n"
          "           {\"type\":\"ellipsoid\",\"radii\":[a,b,c]}     {\"type\":\"hull\",\"points\":[[x,y,z],...]}\n"
          "           and beam, halfSpace, mesh: docs/reference.md has all fields\n"
          "           \"rounding\": r rounds the edges inside the given size (here none unless given),\n"
          "           \"inflate\": r adds a ball of radius r outside\n"
          "  poses    {\"position\":[x,y,z],\"quaternion\":[w,x,y,z]}   the quaternion is normalized\n"
          "\n"
          "Metres. Exit codes: 0 ok, 1 a query was wrong, 2 wrong usage.\n"
          "\n"
          "example: carom distance '{\"type\":\"sphere\",\"radius\":1}' '{\"position\":[0,0,0]}' \\\n"
          "                        '{\"type\":\"box\",\"size\":[1,1,1]}' '{\"position\":[3,0,0]}'\n",
  .run = run,
};
