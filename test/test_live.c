// Watching a run: who may, what they get, and that the run does not notice.
#include "carom/live.h"

#include "base/text.h"
#include "carom/run.h"
#include "support/log.h"
#include "support/test.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 20 // [s]

static char answer[1 << 22]; // what the last request was answered

static int portOf(const crLive* live)
{
  int port = 0;
  assert_int_equal(sscanf(crLive_GetAddress(live), "http://127.0.0.1:%d/", &port), 1);
  return port;
}

// "/TOKEN/"
static const char* pathOf(const crLive* live)
{
  return strchr(crLive_GetAddress(live) + strlen("http://"), '/');
}

static int connectTo(int port)
{
  struct sockaddr_in place = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct timeval limit = { .tv_sec = PATIENCE };
  int client = socket(AF_INET, SOCK_STREAM, 0);
  assert_true(client >= 0);
  assert_int_equal(connect(client, (struct sockaddr*)&place, sizeof place), 0);
  assert_int_equal(setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
  return client;
}

static int ask(const crLive* live, const char* method, const char* path, const char* host)
{
  char request[1024];
  int client = connectTo(portOf(live));
  int size = snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nAccept: */*\r\nHost: %s\r\n\r\n", method, path, host);
  assert_int_equal(send(client, request, (size_t)size, MSG_NOSIGNAL), size);
  return client;
}

// Reads until the other side closes, or until a text has come. Returns the number of the status.
static int readUntil(int client, const char* last)
{
  size_t size = 0;
  ssize_t count = 1;
  answer[0] = '\0';
  while (count > 0 && size < sizeof answer - 1 && (last == NULL || strstr(answer, last) == NULL)) {
    count = recv(client, answer + size, sizeof answer - 1 - size, 0);
    size += count > 0 ? (size_t)count : 0;
    answer[size] = '\0';
  }
  close(client);
  int status = 0;
  assert_int_equal(sscanf(answer, "HTTP/1.1 %d", &status), 1);
  return status;
}

static int request(const crLive* live, const char* method, const char* path, const char* host)
{
  return readUntil(ask(live, method, path, host), NULL);
}

static crLive* openLive(size_t dataLimit)
{
  crLiveOptions options = crDefaultLiveOptions();
  options.dataLimit = dataLimit;
  crLive* live = NULL;
  assert_int_equal(crCreateLive(&options, NULL, NULL, &live), cr_ok);
  return live;
}

// A run in memory, watched or not.
static crResult* runModel(const char* file, double stop, crLive* live)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop;
  crRecordSink sink = live != NULL ? crLive_GetSink(live) : (crRecordSink){ 0 };
  crRunDef def = crDefaultRunDef(file);
  def.options = &options;
  def.follower = live != NULL ? &sink : NULL;
  crResult* result = NULL;
  crRunFacts facts;
  assert_int_equal(crRunInMemory(&def, NULL, NULL, &result, &facts), cr_ok);
  assert_int_equal(facts.end, cr_runComplete);
  return result;
}

static void assertSame(const crResult* a, const crResult* b)
{
  size_t rows = (size_t)crResult_CountRows(a);
  assert_int_equal(crResult_CountRows(b), rows);
  assert_int_equal(crResult_CountColumns(b), crResult_CountColumns(a));
  assert_memory_equal(crResult_GetTimes(a), crResult_GetTimes(b), rows * sizeof(double));
  for (int c = 0; c < crResult_CountColumns(a); ++c) {
    assert_memory_equal(crResult_GetValues(a, c), crResult_GetValues(b, c), rows * sizeof(double));
  }
}

static const char pendulum[] = CAROM_ROOT "/examples/pendulum.lua";
static const char billiards[] = CAROM_ROOT "/examples/billiards.lua";

// -------------------------------------------------------------------------------------------- who

static void only_those_who_know_the_token_and_ask_this_host_get_an_answer(void** state)
{
  (void)state;
  crLive* live = openLive(0);
  char host[64], other[64], path[128], wrong[128];
  snprintf(host, sizeof host, "127.0.0.1:%d", portOf(live));
  snprintf(other, sizeof other, "localhost:%d", portOf(live));
  snprintf(path, sizeof path, "%sevents", pathOf(live));
  crDestroyResult(runModel(pendulum, 0.1, live));
  assert_int_equal(request(live, "GET", pathOf(live), host), 200);
  assert_non_null(strstr(answer, "default-src 'none'; connect-src 'self';"));
  assert_non_null(strstr(answer, "\"live\""));
  assert_null(strstr(answer, "@CAROM_"));
  assert_int_equal(request(live, "GET", pathOf(live), other), 200);
  assert_int_equal(crLive_GetFacts(live).refusals, 0);
  // another host: a name of the network that points to this machine
  assert_int_equal(request(live, "GET", pathOf(live), "evil.example"), 403);
  assert_int_equal(request(live, "GET", pathOf(live), "127.0.0.1"), 403);
  assert_int_equal(request(live, "GET", path, "evil.example"), 403);
  assert_int_equal(request(live, "GET", path, "127.0.0.1:1\r\nHost: evil"), 403); // two of them
  // another token, or none
  snprintf(wrong, sizeof wrong, "%s", path);
  wrong[5] = wrong[5] == 'a' ? 'b' : 'a';
  assert_int_equal(request(live, "GET", wrong, host), 404);
  assert_int_equal(request(live, "GET", "/", host), 404);
  assert_int_equal(request(live, "GET", "/events", host), 404);
  snprintf(wrong, sizeof wrong, "%s../x", pathOf(live));
  assert_int_equal(request(live, "GET", wrong, host), 404);
  assert_int_equal(request(live, "POST", pathOf(live), host), 405);
  assert_int_equal(crLive_GetFacts(live).refusals, 9);
  assert_int_equal(crLive_GetFacts(live).visits, 0);
  crDestroyLive(live);
}

static void two_runs_have_different_tokens_and_the_address_is_of_this_machine_alone(void** state)
{
  (void)state;
  crLive *a = openLive(0), *b = openLive(0);
  assert_int_equal(strlen(pathOf(a)), 34);
  assert_string_not_equal(pathOf(a), pathOf(b));
  int client = socket(AF_INET, SOCK_STREAM, 0); // 127.0.0.2 is this machine too, but not where it listens
  struct sockaddr_in place = { .sin_family = AF_INET, .sin_port = htons((uint16_t)portOf(a)) };
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
  assert_int_not_equal(connect(client, (struct sockaddr*)&place, sizeof place), 0);
  close(client);
  crDestroyLive(a);
  crDestroyLive(b);
}

static void requests_that_never_end_are_refused(void** state)
{
  (void)state;
  crLive* live = openLive(0);
  int client = connectTo(portOf(live));
  char junk[9000];
  memset(junk, 'x', sizeof junk);
  assert_true(send(client, junk, sizeof junk, MSG_NOSIGNAL) > 0);
  // it may be closed before all of it was read: then nothing arrives
  ssize_t count = recv(client, answer, sizeof answer - 1, 0);
  answer[count > 0 ? count : 0] = '\0';
  assert_true(count <= 0 || strncmp(answer, "HTTP/1.1 431", 12) == 0);
  close(client);
  crDestroyLive(live);
}

// ------------------------------------------------------------------------------------------- what

static int countText(const char* text)
{
  int count = 0;
  for (const char* at = answer; (at = strstr(at, text)) != NULL; ++at) {
    ++count;
  }
  return count;
}

static void the_stream_has_all_rows_and_the_end_of_the_run(void** state)
{
  (void)state;
  crLive* live = openLive(0);
  char host[64], path[128];
  snprintf(host, sizeof host, "localhost:%d", portOf(live));
  snprintf(path, sizeof path, "%sevents", pathOf(live));
  int client = ask(live, "GET", path, host); // before anything is there
  crResult* result = runModel(billiards, 0.4, live);
  assert_int_equal(readUntil(client, "\"isCut\": false}\n\n"), 200);
  assert_non_null(strstr(answer, "text/event-stream"));
  int rows = crResult_CountRows(result);
  assert_int_equal(countText("\ndata: "), rows + countText("\nevent: "));
  assert_int_equal(crLive_GetFacts(live).rowCount, rows);
  assert_int_equal(crLive_GetFacts(live).visits, 1);
  assert_false(crLive_GetFacts(live).isCut);
  // one that comes late gets the same
  assert_int_equal(readUntil(ask(live, "GET", path, host), "\"isCut\": false}\n\n"), 200);
  assert_int_equal(countText("\ndata: "), rows + countText("\nevent: "));
  crDestroyResult(result);
  crDestroyLive(live);
}

static void what_goes_beyond_the_limit_is_left_out_and_said(void** state)
{
  (void)state;
  crLive* live = openLive(20000);
  char host[64], path[128];
  snprintf(host, sizeof host, "localhost:%d", portOf(live));
  snprintf(path, sizeof path, "%sevents", pathOf(live));
  crResult* result = runModel(billiards, 1.0, live);
  crLiveFacts facts = crLive_GetFacts(live);
  assert_true(facts.isCut && facts.rowCount > 0 && facts.rowCount < crResult_CountRows(result));
  assert_int_equal(readUntil(ask(live, "GET", path, host), "\"isCut\": true}\n\n"), 200);
  assert_non_null(strstr(answer, "event: end\ndata: {\"end\": \"ok\", \"isCut\": true}"));
  crDestroyResult(result);
  crDestroyLive(live);
}

// Names of others may be no UTF-8, but the page is, and what it holds is JSON.
static void names_that_are_no_utf8_do_not_break_the_page(void** state)
{
  (void)state;
  crLive* live = openLive(0);
  char host[64], path[128];
  snprintf(host, sizeof host, "localhost:%d", portOf(live));
  snprintf(path, sizeof path, "%sevents", pathOf(live));
  const char* const bodies[] = { "b\xff\"x", "\xc3\xa9\xe2\x82" };
  crResultDef def = crDefaultResultDef(NULL);
  def.modelName = "m";
  def.bodies = bodies;
  def.bodyCount = 2;
  crRecordSink sink = crLive_GetSink(live);
  assert_int_equal(sink.begin(sink.context, &def), cr_ok);
  assert_int_equal(sink.addEvent(sink.context, 0.5, "note", "t\x80t"), cr_ok);
  assert_int_equal(sink.end(sink.context, cr_runComplete, NULL), cr_ok);
  assert_int_equal(request(live, "GET", pathOf(live), host), 200);
  assert_non_null(strstr(answer, "\"b\\ufffd\\\"x\""));
  assert_non_null(strstr(answer, "\"\xc3\xa9\\ufffd\\ufffd\""));
  assert_true(crIsUtf8(answer, strlen(answer)));
  assert_int_equal(readUntil(ask(live, "GET", path, host), "\"isCut\": false}\n\n"), 200);
  assert_non_null(strstr(answer, "\"text\": \"t\\ufffdt\""));
  crDestroyLive(live);
}

// -------------------------------------------------------------------------------------- no trouble

static void rest(double seconds)
{
  struct timespec pause = { .tv_nsec = (long)(1e9 * seconds) };
  nanosleep(&pause, NULL);
}

static bool isLeft(int client) // by the server: there is nothing more to read
{
  struct timeval limit = { .tv_usec = 1000 };
  assert_int_equal(setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
  return recv(client, answer, 1, MSG_PEEK) == 0;
}

// Connections were kept for ever: as many as there is room for, and nobody else could watch.
static void browsers_that_do_nothing_are_left(void** state)
{
  (void)state;
  crLiveOptions options = crDefaultLiveOptions();
  options.patience = 0.2;
  crLive* live = NULL;
  assert_int_equal(crCreateLive(&options, NULL, NULL, &live), cr_ok);
  char host[64], path[128];
  snprintf(host, sizeof host, "localhost:%d", portOf(live));
  snprintf(path, sizeof path, "%sevents", pathOf(live));
  int mute = connectTo(portOf(live)); // asks for nothing
  int early = ask(live, "GET", path, host);
  for (int i = 0; i < 100 && !isLeft(mute); ++i) {
    rest(0.1);
  }
  assert_true(isLeft(mute));
  assert_int_equal(crLive_GetFacts(live).watchers, 1); // who waits for the run is not left
  crDestroyResult(runModel(billiards, 0.2, live));
  for (int i = 0; i < 100 && crLive_GetFacts(live).watchers > 0; ++i) {
    rest(0.1);
  }
  assert_int_equal(crLive_GetFacts(live).watchers, 0); // it has all there will ever be
  assert_int_equal(readUntil(early, NULL), 200);
  assert_non_null(strstr(answer, "event: end\n"));
  close(mute);
  crDestroyLive(live);
  options.patience = -1.0;
  assert_int_equal(crCreateLive(&options, NULL, NULL, &live), cr_errorModel);
}

// One that has asked, and takes nothing of what there is.
static void browsers_that_stop_reading_are_left(void** state)
{
  (void)state;
  crLiveOptions options = crDefaultLiveOptions();
  options.patience = 0.2;
  crLive* live = NULL;
  assert_int_equal(crCreateLive(&options, NULL, NULL, &live), cr_ok);
  char host[64], path[128];
  snprintf(host, sizeof host, "localhost:%d", portOf(live));
  snprintf(path, sizeof path, "%sevents", pathOf(live));
  crRecordSink sink = crLive_GetSink(live);
  crResultDef def = crDefaultResultDef(NULL);
  assert_int_equal(sink.begin(sink.context, &def), cr_ok);
  int client = ask(live, "GET", path, host);
  static char words[100001];
  memset(words, 'x', sizeof words - 1);
  for (int i = 0; i < 300; ++i) { // 30 MB, more than sockets hold
    assert_int_equal(sink.addEvent(sink.context, 0.0, "note", words), cr_ok);
  }
  for (int i = 0; i < 100 && (crLive_GetFacts(live).visits == 0 || crLive_GetFacts(live).watchers > 0); ++i) {
    rest(0.1);
  }
  assert_int_equal(crLive_GetFacts(live).visits, 1);
  assert_int_equal(crLive_GetFacts(live).watchers, 0);
  close(client);
  crDestroyLive(live);
}

// What is kept doubled its room now and then, and was moved: three times the limit for a moment.
static void memory_is_bounded_by_the_limit(void** state)
{
  (void)state;
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crLiveOptions options = crDefaultLiveOptions();
  options.dataLimit = 8 << 20;
  crLive* live = NULL;
  assert_int_equal(crCreateLive(&options, &allocator, NULL, &live), cr_ok);
  crRecordSink sink = crLive_GetSink(live);
  crResultDef def = crDefaultResultDef(NULL);
  assert_int_equal(sink.begin(sink.context, &def), cr_ok);
  size_t before = counter.liveBytes;
  static char words[10001];
  memset(words, 'x', sizeof words - 1);
  for (int i = 0; i < 3000; ++i) {
    assert_int_equal(sink.addEvent(sink.context, 0.0, "note", words), cr_ok);
    assert_true(counter.liveBytes <= before + options.dataLimit + (1 << 20));
  }
  assert_true(crLive_GetFacts(live).isCut);
  assert_true(counter.liveBytes >= before + options.dataLimit - (1 << 20));
  crDestroyLive(live);
  assert_int_equal(counter.liveBlocks, 0);
}

static void slow_and_dead_browsers_do_not_change_the_run(void** state)
{
  (void)state;
  crResult* alone = runModel(billiards, 3.0, NULL);
  crLive* live = openLive(0);
  char host[64], path[128];
  snprintf(host, sizeof host, "localhost:%d", portOf(live));
  snprintf(path, sizeof path, "%sevents", pathOf(live));
  int slow = ask(live, "GET", path, host); // never reads
  int dead = ask(live, "GET", path, host);
  struct linger abort = { 1, 0 }; // is gone with a reset
  assert_int_equal(setsockopt(dead, SOL_SOCKET, SO_LINGER, &abort, sizeof abort), 0);
  close(dead);
  int mute = connectTo(portOf(live)); // asks for nothing
  crResult* watched = runModel(billiards, 3.0, live);
  assertSame(alone, watched);
  crDestroyLive(live); // does not wait for them
  close(slow);
  close(mute);
  crDestroyResult(alone);
  crDestroyResult(watched);
}

static void a_page_asked_for_before_the_run_begins_comes_when_it_does(void** state)
{
  (void)state;
  crLive* live = openLive(0);
  char host[64];
  snprintf(host, sizeof host, "localhost:%d", portOf(live));
  int client = ask(live, "GET", pathOf(live), host);
  crDestroyResult(runModel(pendulum, 0.1, live));
  assert_int_equal(readUntil(client, "</html>"), 200);
  crDestroyLive(live);
}

static void wrong_options_and_taken_ports_are_told(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crLiveOptions options = crDefaultLiveOptions();
  crLive *live = NULL, *other = NULL;
  options.port = 70000;
  assert_int_equal(crCreateLive(&options, NULL, &sink, &live), cr_errorModel);
  assert_null(live);
  assert_string_equal(crErrorLog_Get(log, 0)->message, "there is no such port");
  assert_int_equal(crCreateLive(NULL, NULL, &sink, &live), cr_ok);
  options.port = portOf(live);
  assert_int_equal(crCreateLive(&options, NULL, &sink, &other), cr_errorFile);
  assert_string_equal(crErrorLog_Get(log, 1)->message, "the page cannot be served on this machine");
  options.size = 1;
  assert_int_equal(crCreateLive(&options, NULL, &sink, &other), cr_errorMisuse);
  assert_int_equal(crCreateLive(NULL, NULL, &sink, NULL), cr_errorMisuse);
  crDestroyLive(live);
  crDestroyLive(NULL);
  crDestroyErrorLog(log);
}

// The run goes on whatever happens to what is kept of it for browsers.
static void out_of_memory_is_none_of_the_run(void** state)
{
  (void)state;
  crResult* result = runModel(pendulum, 0.05, NULL);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  bool wasCut = true;
  for (long failAt = 0; wasCut; ++failAt) {
    crLive* live = NULL;
    crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crStatus status = crCreateLive(NULL, &allocator, NULL, &live);
    assert_true(status == cr_ok || (status == cr_errorMemory && live == NULL));
    if (live != NULL) {
      crRecordSink sink = crLive_GetSink(live);
      assert_int_equal(crResult_Replay(result, &sink), cr_ok);
      wasCut = crLive_GetFacts(live).isCut;
      crDestroyLive(live);
    }
    assert_int_equal(counter.liveBlocks, 0);
  }
  crDestroyResult(result);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_those_who_know_the_token_and_ask_this_host_get_an_answer),
    cmocka_unit_test(two_runs_have_different_tokens_and_the_address_is_of_this_machine_alone),
    cmocka_unit_test(requests_that_never_end_are_refused),
    cmocka_unit_test(the_stream_has_all_rows_and_the_end_of_the_run),
    cmocka_unit_test(what_goes_beyond_the_limit_is_left_out_and_said),
    cmocka_unit_test(names_that_are_no_utf8_do_not_break_the_page),
    cmocka_unit_test(browsers_that_do_nothing_are_left),
    cmocka_unit_test(browsers_that_stop_reading_are_left),
    cmocka_unit_test(memory_is_bounded_by_the_limit),
    cmocka_unit_test(slow_and_dead_browsers_do_not_change_the_run),
    cmocka_unit_test(a_page_asked_for_before_the_run_begins_comes_when_it_does),
    cmocka_unit_test(wrong_options_and_taken_ports_are_told),
    cmocka_unit_test(out_of_memory_is_none_of_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
