// A session in a page: the run goes on as the page asks for it, and what it has done becomes a result like that of a
// run.
#include "play.h"

#include <stdlib.h>

// Begins a session with the model that is open; its start is described to the page.
CR_EXPORT("liveStart") bool crPlay_LiveStart(void)
{
  crPlay* play = &crThePlay;
  crPlay_EndLive(play);
  if (play->model == NULL) {
    return false;
  }
  crRecordSink sink = crPlay_MakeSink(play);
  bool isReady =
      crPlay_BeginRecording(play) && crCreateSession(play->scene, NULL, &play->sink, &play->session) == cr_ok;
  crRecordOptions options = crPlay_MakeRecordOptions(play);
  if (!isReady) {
    crPlay_EndRecording(play);
  }
  return isReady && crSession_Record(play->session, &options, &sink) == cr_ok;
}

// Goes on by so many points; the poses are those of the last. false: it has failed, and messages tell why.
CR_EXPORT("liveStep") bool crPlay_LiveStep(int count)
{
  crPlay* play = &crThePlay;
  crStatus status = play->session != NULL ? cr_ok : cr_errorMisuse;
  for (int i = 0; i < count && status == cr_ok; ++i) {
    play->poses.size = 0;
    status = crSession_Step(play->session);
  }
  return status == cr_ok;
}

CR_EXPORT("liveGrab") bool crPlay_LiveGrab(char* object, double x, double y, double z)
{
  crSession* session = crThePlay.session;
  crStatus status = session != NULL ? crSession_Grab(session, object, crMakeVec3(x, y, z)) : cr_errorMisuse;
  free(object);
  return status == cr_ok;
}

CR_EXPORT("livePull") bool crPlay_LivePull(double x, double y, double z)
{
  return crThePlay.session != NULL && crSession_Pull(crThePlay.session, crMakeVec3(x, y, z)) == cr_ok;
}

CR_EXPORT("liveRelease") bool crPlay_LiveRelease(void)
{
  return crThePlay.session != NULL && crSession_Release(crThePlay.session) == cr_ok;
}

CR_EXPORT("liveInput") bool crPlay_LiveInput(char* path, double value)
{
  crSession* session = crThePlay.session;
  bool isSet = session != NULL && crSession_SetInput(session, path, value) == cr_ok;
  free(path);
  return isSet;
}

CR_EXPORT("liveInterval") double crPlay_LiveInterval(void)
{
  return CR_SESSION_INTERVAL;
}

void crPlay_EndLive(crPlay* play)
{
  if (play->session == NULL) {
    return;
  }
  (void)crSession_EndRecord(play->session); // without memory there is no result
  crDestroySession(play->session);
  play->session = NULL;
  crPlay_EndRecording(play);
}

// The session is over, and its rows are the result.
CR_EXPORT("liveEnd") void crPlay_LiveEnd(void)
{
  crPlay_EndLive(&crThePlay);
}
