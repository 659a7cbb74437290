// A small HTTP server on the loopback address for one page and one stream. One thread, one poll loop: nobody waits for
// anybody.
//
// A browser's connection is reading -> waiting (for the page) -> sending -> closed, or reading -> streaming.
#include "carom/live.h"

#include "base/platform.h"
#include "base/report.h"
#include "show/live_log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define CR_MAX_WATCHERS 32
#define CR_REQUEST_SIZE 8192 // [bytes] of the head of a request; browsers send less than 2000
#define CR_PIECE_SIZE 65536  // [bytes] sent at a time
#define CR_TOKEN_BYTES 16    // of a random token, which nobody guesses
#define CR_TOKEN_SIZE (2 * CR_TOKEN_BYTES + 1)
#define CR_LIVE_PATIENCE 20.0 // [s] unless another is asked for
#define CR_LIVE_LIMIT ((size_t)128 << 20)

typedef enum WatcherState { stateFree, stateReading, stateWaiting, stateSending, stateStreaming } WatcherState;

typedef struct Watcher {
  WatcherState state;
  int socket;
  double since;               // [s] when it came, took something, or had all there is
  char text[CR_REQUEST_SIZE]; // of the request; then the head of the answer
  size_t textSize, textSent;  //
  const unsigned char* body;  // behind the head; NULL: none
  size_t bodySize, bodySent;  // of a stream: bytes of it that were sent
} Watcher;

struct crLive {
  crAllocator allocator;
  crLiveLog log;
  int listener, wakeRead, wakeWrite;
  int port;
  double patience; // [s]
  char token[CR_TOKEN_SIZE], address[64 + CR_TOKEN_SIZE];
  pthread_t thread;
  atomic_bool shouldEnd;
  atomic_bool isAwake; // it has been woken, and has not looked yet
  atomic_int visits, refusals, watcherCount;
  atomic_size_t leastSent; // [bytes] of the stream, of the slowest watcher
  Watcher watchers[CR_MAX_WATCHERS];
  char piece[CR_PIECE_SIZE];
};

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void wake(void* context)
{
  crLive* live = context;
  if (!atomic_exchange(&live->isAwake, true)) {
    (void)!write(live->wakeWrite, "", 1); // a full pipe wakes as well
  }
}

// ----------------------------------------------------------------------------------------- answers

static void closeWatcher(Watcher* watcher)
{
  close(watcher->socket);
  *watcher = (Watcher){ .state = stateFree, .socket = -1 };
}

static const char commonHead[] = "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                                 "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
                                 "Cross-Origin-Resource-Policy: same-origin\r\n";

static void answer(Watcher* watcher, WatcherState state, const char* status, const char* type, size_t size)
{
  char length[48] = "";
  if (state == stateSending) {
    snprintf(length, sizeof length, "Content-Length: %zu\r\n", size);
  }
  int count =
      snprintf(watcher->text, sizeof watcher->text, "HTTP/1.1 %s\r\nContent-Type: %s\r\n%s%sConnection: close\r\n\r\n",
               status, type, length, commonHead);
  watcher->textSize = (size_t)count;
  watcher->textSent = 0;
  watcher->bodySize = size;
  watcher->bodySent = 0;
  watcher->state = state;
}

static void refuse(crLive* live, Watcher* watcher, const char* status)
{
  atomic_fetch_add(&live->refusals, 1);
  watcher->body = (const unsigned char*)"refused\n";
  answer(watcher, stateSending, status, "text/plain; charset=utf-8", strlen("refused\n"));
}

// ---------------------------------------------------------------------------------------- requests

// The value of a header, without spaces around it; false: it is not there, or there twice.
static bool findHeader(const char* head, const char* name, char* outValue, size_t size)
{
  int found = 0;
  size_t nameSize = strlen(name);
  for (const char* line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
    const char* text = line + 2;
    if (strncasecmp(text, name, nameSize) != 0 || text[nameSize] != ':') {
      continue;
    }
    text += nameSize + 1;
    text += strspn(text, " \t");
    size_t length = strcspn(text, "\r\n");
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
      --length;
    }
    if (length >= size) {
      return false;
    }
    memcpy(outValue, text, length);
    outValue[length] = '\0';
    ++found;
  }
  return found == 1;
}

// A page elsewhere may know a name that points to this machine, but it cannot make its browser say that it asked for
// this host.
static bool isOwnHost(const crLive* live, const char* head)
{
  char host[64], numeric[64], named[64];
  snprintf(numeric, sizeof numeric, "127.0.0.1:%d", live->port);
  snprintf(named, sizeof named, "localhost:%d", live->port);
  return findHeader(head, "Host", host, sizeof host) && (strcmp(host, numeric) == 0 || strcasecmp(host, named) == 0);
}

// Compares all bytes, however many are right.
static bool isToken(const crLive* live, const char* text)
{
  unsigned difference = 0;
  for (size_t i = 0; i < CR_TOKEN_SIZE - 1; ++i) {
    difference |= (unsigned char)live->token[i] ^ (unsigned char)text[i];
  }
  return difference == 0;
}

static void takeRequest(crLive* live, Watcher* watcher)
{
  char target[CR_TOKEN_SIZE + 16] = "";
  const char* head = watcher->text;
  bool isGet = strncmp(head, "GET ", 4) == 0;
  size_t length = isGet ? strcspn(head + 4, " \r\n") : 0;
  bool isKnown = length >= CR_TOKEN_SIZE && length < sizeof target && head[4 + length] == ' ';
  if (isKnown) {
    memcpy(target, head + 4, length); // "/TOKEN/..."
    isKnown = target[0] == '/' && isToken(live, target + 1);
  }
  const char* place = target + CR_TOKEN_SIZE;
  if (!isOwnHost(live, head)) {
    refuse(live, watcher, "403 Forbidden");
  } else if (!isGet) {
    refuse(live, watcher, "405 Method Not Allowed");
  } else if (isKnown && strcmp(place, "/") == 0) {
    watcher->state = stateWaiting;
  } else if (isKnown && strcmp(place, "/events") == 0) {
    atomic_fetch_add(&live->visits, 1);
    answer(watcher, stateStreaming, "200 OK", "text/event-stream", 0);
  } else {
    refuse(live, watcher, "404 Not Found");
  }
}

// false: the browser is gone.
static bool readRequest(crLive* live, Watcher* watcher)
{
  if (watcher->state != stateReading) {
    char rest[512];
    ssize_t count = recv(watcher->socket, rest, sizeof rest, 0);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
  }
  size_t room = sizeof watcher->text - 1 - watcher->textSize;
  ssize_t count = recv(watcher->socket, watcher->text + watcher->textSize, room, 0);
  if (count <= 0) {
    return count < 0 && (errno == EAGAIN || errno == EINTR);
  }
  watcher->textSize += (size_t)count;
  watcher->text[watcher->textSize] = '\0';
  if (strstr(watcher->text, "\r\n\r\n") != NULL) {
    takeRequest(live, watcher);
  } else if (watcher->textSize == sizeof watcher->text - 1) {
    refuse(live, watcher, "431 Request Header Fields Too Large");
  }
  return true;
}

// ------------------------------------------------------------------------------------------ sending

// Sends what the socket takes; -1: the browser is gone.
static ssize_t sendBytes(int socket, const void* bytes, size_t size)
{
  ssize_t count = send(socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  return count >= 0 ? count : errno == EAGAIN || errno == EINTR ? 0 : -1;
}

// false: there is nothing more to do for this browser.
static bool sendAnswer(crLive* live, Watcher* watcher)
{
  if (watcher->textSent < watcher->textSize) {
    ssize_t count =
        sendBytes(watcher->socket, watcher->text + watcher->textSent, watcher->textSize - watcher->textSent);
    watcher->textSent += count > 0 ? (size_t)count : 0;
    watcher->since = count > 0 ? now() : watcher->since;
    return count >= 0;
  }
  const void* bytes = watcher->body != NULL ? watcher->body + watcher->bodySent : NULL;
  size_t size = watcher->bodySize - watcher->bodySent;
  if (watcher->state == stateStreaming) {
    size = crLiveLog_Read(&live->log, watcher->bodySent, live->piece, sizeof live->piece);
    bytes = live->piece;
  }
  ssize_t count = size > 0 ? sendBytes(watcher->socket, bytes, size) : 0;
  watcher->bodySent += count > 0 ? (size_t)count : 0;
  watcher->since = count > 0 ? now() : watcher->since;
  return count >= 0 && (watcher->state == stateStreaming || watcher->bodySent < watcher->bodySize);
}

static void offerPage(crLive* live, Watcher* watcher)
{
  size_t size;
  const unsigned char* page = crLiveLog_GetPage(&live->log, &size);
  if (page != NULL) {
    watcher->body = page;
    answer(watcher, stateSending, "200 OK", "text/html; charset=utf-8", size);
  }
}

// -------------------------------------------------------------------------------------------- loop

static void acceptWatcher(crLive* live)
{
  int socket = accept(live->listener, NULL, NULL);
  if (socket < 0) {
    return;
  }
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  for (int i = 0; i < CR_MAX_WATCHERS; ++i) {
    if (live->watchers[i].state == stateFree) {
      live->watchers[i] = (Watcher){ .state = stateReading, .socket = socket, .since = now() };
      return;
    }
  }
  close(socket);
}

// Whether there is something to send to a watcher.
static bool hasMore(crLive* live, const Watcher* watcher)
{
  char byte;
  return watcher->textSent < watcher->textSize || watcher->state == stateSending ||
         crLiveLog_Read(&live->log, watcher->bodySent, &byte, 1) > 0;
}

static int listWatchers(crLive* live, struct pollfd* polls, int* outIndices)
{
  int count = 0, streaming = 0;
  size_t least = SIZE_MAX;
  for (int i = 0; i < CR_MAX_WATCHERS; ++i) {
    Watcher* watcher = &live->watchers[i];
    if (watcher->state == stateWaiting) {
      offerPage(live, watcher);
    }
    bool isAnswering = watcher->state == stateSending || watcher->state == stateStreaming;
    bool isDue = isAnswering && hasMore(live, watcher);
    bool isWaiting = watcher->state == stateWaiting || (isAnswering && !isDue && !crLiveLog_IsOver(&live->log));
    watcher->since = isWaiting ? now() : watcher->since;
    if (watcher->state != stateFree && now() - watcher->since > live->patience) {
      closeWatcher(watcher);
    }
    if (watcher->state == stateFree) {
      continue;
    }
    short events = isDue ? POLLIN | POLLOUT : POLLIN;
    polls[count] = (struct pollfd){ watcher->socket, events, 0 };
    outIndices[count++] = i;
    if (watcher->state == stateStreaming) {
      ++streaming;
      least = watcher->bodySent < least ? watcher->bodySent : least;
    }
  }
  atomic_store(&live->watcherCount, streaming);
  atomic_store(&live->leastSent, least);
  return count;
}

static void attend(crLive* live, Watcher* watcher, short events)
{
  bool isThere = (events & (POLLERR | POLLNVAL)) == 0;
  if (isThere && (events & (POLLIN | POLLHUP)) != 0) {
    isThere = readRequest(live, watcher);
  }
  if (isThere && (events & POLLOUT) != 0) {
    isThere = sendAnswer(live, watcher);
  }
  if (!isThere) {
    closeWatcher(watcher);
  }
}

static void* serve(void* context)
{
  crLive* live = context;
  struct pollfd polls[CR_MAX_WATCHERS + 2];
  int indices[CR_MAX_WATCHERS];
  while (!atomic_load(&live->shouldEnd)) {
    int count = listWatchers(live, polls + 2, indices);
    polls[0] = (struct pollfd){ live->wakeRead, POLLIN, 0 };
    polls[1] = (struct pollfd){ live->listener, POLLIN, 0 };
    int pause = live->patience < 2.0 ? (int)(500.0 * live->patience) + 1 : 1000; // [ms]
    if (poll(polls, (nfds_t)count + 2, pause) < 0 && errno != EINTR) {
      break;
    }
    if (polls[0].revents != 0) {
      char bytes[64];
      (void)!read(live->wakeRead, bytes, sizeof bytes);
      atomic_store(&live->isAwake, false);
    }
    for (int i = 0; i < count; ++i) {
      if (polls[i + 2].revents != 0) {
        attend(live, &live->watchers[indices[i]], polls[i + 2].revents);
      }
    }
    if (polls[1].revents != 0) {
      acceptWatcher(live);
    }
  }
  return NULL;
}

// ------------------------------------------------------------------------------------------ opening

crLiveOptions crDefaultLiveOptions(void)
{
  return (crLiveOptions){ .size = sizeof(crLiveOptions) };
}

static bool makeToken(crLive* live)
{
  unsigned char bytes[CR_TOKEN_BYTES];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
    return false;
  }
  for (int i = 0; i < CR_TOKEN_BYTES; ++i) {
    snprintf(live->token + 2 * i, 3, "%02x", bytes[i]);
  }
  return true;
}

static bool openListener(crLive* live, int port)
{
  struct sockaddr_in place = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof place;
  int yes = 1;
  live->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (live->listener < 0 || setsockopt(live->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      bind(live->listener, (struct sockaddr*)&place, size) != 0 || listen(live->listener, 16) != 0 ||
      getsockname(live->listener, (struct sockaddr*)&place, &size) != 0) {
    return false;
  }
  live->port = ntohs(place.sin_port);
  return true;
}

static bool openLive(crLive* live, int port)
{
  int ends[2];
  if (!makeToken(live) || !openListener(live, port) || pipe(ends) != 0) {
    return false;
  }
  live->wakeRead = ends[0];
  live->wakeWrite = ends[1];
  for (int i = 0; i < 2; ++i) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
  snprintf(live->address, sizeof live->address, "http://127.0.0.1:%d/%s/", live->port, live->token);
  return true;
}

static void freeLive(crLive* live)
{
  const int sockets[] = { live->listener, live->wakeRead, live->wakeWrite };
  for (int i = 0; i < 3; ++i) {
    if (sockets[i] >= 0) {
      close(sockets[i]);
    }
  }
  for (int i = 0; i < CR_MAX_WATCHERS; ++i) {
    if (live->watchers[i].state != stateFree) {
      closeWatcher(&live->watchers[i]);
    }
  }
  crLiveLog_Free(&live->log);
  crAllocator allocator = live->allocator;
  crFree(&allocator, live, sizeof *live);
}

crStatus crCreateLive(const crLiveOptions* options, const crAllocator* allocator, const crErrorSink* sink,
                      crLive** outLive)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "live");
  crLiveOptions chosen = options != NULL ? *options : crDefaultLiveOptions();
  if (outLive == NULL || !crCheckSize(&reporter, "crLiveOptions", chosen.size, sizeof chosen)) {
    return cr_errorMisuse;
  }
  *outLive = NULL;
  if (!(chosen.patience >= 0.0)) {
    crReportNumber(&reporter, "patience is out of range", chosen.patience, ">= 0 s", NULL, NULL);
    return cr_errorModel;
  }
  if (chosen.port < 0 || chosen.port > 65535) {
    crReportNumber(&reporter, "there is no such port", chosen.port, "0 to 65535", NULL, NULL);
    return cr_errorModel;
  }
  crAllocator own = crChooseAllocator(allocator);
  crLive* live = crAllocateZero(&own, 1, sizeof *live);
  if (live == NULL) {
    return cr_errorMemory;
  }
  live->allocator = own;
  live->patience = chosen.patience > 0.0 ? chosen.patience : CR_LIVE_PATIENCE;
  live->listener = live->wakeRead = live->wakeWrite = -1;
  if (crLiveLog_Init(&live->log, &own, chosen.dataLimit != 0 ? chosen.dataLimit : CR_LIVE_LIMIT) != cr_ok) {
    crFree(&own, live, sizeof *live);
    return cr_errorMemory;
  }
  live->log.context = live;
  live->log.wake = wake;
  if (!openLive(live, chosen.port) || pthread_create(&live->thread, NULL, serve, live) != 0) {
    crComplaint complaint = { .message = "the page cannot be served on this machine", .found = strerror(errno) };
    crReport(&reporter, cr_severityError, cr_errorFile, &complaint);
    freeLive(live);
    return cr_errorFile;
  }
  *outLive = live;
  return cr_ok;
}

void crDestroyLive(crLive* live)
{
  if (live == NULL) {
    return;
  }
  atomic_store(&live->shouldEnd, true);
  wake(live);
  pthread_join(live->thread, NULL);
  freeLive(live);
}

const char* crLive_GetAddress(const crLive* live)
{
  return live != NULL ? live->address : "";
}

crRecordSink crLive_GetSink(crLive* live)
{
  return crLiveLog_GetSink(&live->log);
}

crLiveFacts crLive_GetFacts(const crLive* live)
{
  if (live == NULL) {
    return (crLiveFacts){ 0 };
  }
  crLive* own = (crLive*)live; // the lock is taken and given back
  pthread_mutex_lock(&own->log.lock);
  crLiveFacts facts = { .rowCount = own->log.rowCount, .isCut = own->log.isCut };
  size_t size = own->log.stream.size;
  pthread_mutex_unlock(&own->log.lock);
  facts.visits = atomic_load(&own->visits);
  facts.refusals = atomic_load(&own->refusals);
  facts.watchers = atomic_load(&own->watcherCount);
  facts.isShown = facts.watchers > 0 && atomic_load(&own->leastSent) >= size;
  return facts;
}
