// The lock around HDF5, its errors and its ids.
#include "result/hdf5.h"
#include "base/library.h"
#include "base/platform.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t hdf5Mutex = PTHREAD_MUTEX_INITIALIZER;

// Whether HDF5 has run out of memory in this process: what it keeps of open files may be wrong from then on, and a file
// that another process reads seems damaged. Under the lock.
static bool hasRunOut;

// HDF5 needs memory to end, and follows a pointer that is none without it. What is called at the end stands around
// that.
static bool isEnding;

static void tellEnd(void)
{
  isEnding = crGetLibrary() == NULL; // else it has called exit itself
  if (isEnding) {
    crEnterLibrary("the library HDF5, for which memory may be short");
  }
}

static void leaveEnd(void)
{
  if (isEnding) {
    crLeaveLibrary(false);
  }
}

// HDF5 starts at its first call. Where memory is too short for that it may tell nobody, and goes on half made, without
// its own driver of files for one: then nothing is asked of it any more. Under the lock.
static bool canStart(void)
{
  static bool isTried, hasStarted;
  if (!isTried) {
    H5E_auto2_t print = NULL;
    void* context = NULL;
    isTried = true;
    hasStarted = atexit(leaveEnd) == 0 && H5open() >= 0 && atexit(tellEnd) == 0 &&
                 H5Eget_auto2(H5E_DEFAULT, &print, &context) >= 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hasStarted = hasStarted && H5Iget_type(H5Pget_driver(H5P_FILE_ACCESS_DEFAULT)) == H5I_VFL;
    H5Eset_auto2(H5E_DEFAULT, print, context);
  }
  return hasStarted;
}

void crBeginHdf5(crHdf5* hdf5)
{
  pthread_mutex_lock(&hdf5Mutex);
  crEnterLibrary("the library HDF5, for which memory may be short");
  hdf5->cannotStart = !canStart();
  hdf5->hasFailed = hdf5->isOutOfMemory = hdf5->cannotStart;
  snprintf(hdf5->error, sizeof hdf5->error, "%s", hdf5->cannotStart ? "HDF5 could not start" : "");
  hdf5->idCount = 0;
  hdf5->print = NULL;
  hdf5->printContext = NULL;
  if (hdf5->cannotStart) {
    return;
  }
  H5Eget_auto2(H5E_DEFAULT, &hdf5->print, &hdf5->printContext);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

// Whether errors are printed by HDF5's own function, as in a process that has set nothing else: a new stack has it.
static bool isOwnPrinting(const crHdf5* hdf5)
{
  H5E_auto2_t own = NULL;
  void* context;
  hid_t stack = H5Ecreate_stack();
  H5Eget_auto2(stack, &own, &context);
  H5Eclose_stack(stack);
  return hdf5->print == own;
}

// HDF5 1.10 forgets to free a part of what it could not read, and complains about that when the process ends, if its
// own printing of errors is on. So after a failure it stays off. What the host has put in its place comes back.
void crEndHdf5(crHdf5* hdf5)
{
  crHdf5_CloseTo(hdf5, 0);
  if (!hdf5->cannotStart && (!hdf5->hasFailed || !isOwnPrinting(hdf5))) {
    H5Eset_auto2(H5E_DEFAULT, hdf5->print, hdf5->printContext);
  }
  crLeaveLibrary(hdf5->hasFailed);
  pthread_mutex_unlock(&hdf5Mutex);
}

// The first record is the innermost; a positive return ends the walk.
static herr_t copyRecord(unsigned index, const H5E_error2_t* record, void* context)
{
  (void)index;
  snprintf(context, CR_HDF5_TEXT_SIZE, "%s", record->desc != NULL ? record->desc : "");
  return 1;
}

static herr_t seeMemory(unsigned index, const H5E_error2_t* record, void* context)
{
  (void)index;
  bool* isOutOfMemory = context;
  *isOutOfMemory = *isOutOfMemory || (record->maj_num == H5E_RESOURCE && record->min_num == H5E_NOSPACE);
  return 0;
}

bool crHdf5_HasRunOut(void)
{
  return hasRunOut;
}

bool crHdf5_IsOutOfMemory(const crHdf5* hdf5)
{
  return hdf5->isOutOfMemory || hasRunOut || crIsMemoryShort();
}

bool crHdf5_Try(crHdf5* hdf5, long long result)
{
  if (result < 0 && !hdf5->hasFailed) {
    hdf5->hasFailed = true;
    hdf5->isOutOfMemory = crIsMemoryShort();
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, seeMemory, &hdf5->isOutOfMemory);
    hasRunOut = hasRunOut || hdf5->isOutOfMemory;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, copyRecord, hdf5->error);
    if (hdf5->error[0] == '\0') {
      snprintf(hdf5->error, sizeof hdf5->error, "unknown error of HDF5");
    }
  }
  return !hdf5->hasFailed;
}

bool crHdf5_Refuse(crHdf5* hdf5, const char* why)
{
  if (!hdf5->hasFailed) {
    hdf5->hasFailed = true;
    snprintf(hdf5->error, sizeof hdf5->error, "%s", why);
  }
  return false;
}

hid_t crHdf5_Keep(crHdf5* hdf5, hid_t id)
{
  crHdf5_Try(hdf5, id);
  if (id >= 0) {
    assert(hdf5->idCount < CR_MAX_HDF5_IDS);
    hdf5->ids[hdf5->idCount++] = id;
  }
  return id;
}

void crHdf5_CloseTo(crHdf5* hdf5, int idCount)
{
  while (hdf5->idCount > idCount) {
    crHdf5_Try(hdf5, H5Idec_ref(hdf5->ids[--hdf5->idCount]));
  }
}

hid_t crHdf5_MakeTextType(crHdf5* hdf5, size_t size)
{
  hid_t type = crHdf5_Keep(hdf5, H5Tcopy(H5T_C_S1));
  crHdf5_Try(hdf5, H5Tset_size(type, size > 0 ? size : 1));
  crHdf5_Try(hdf5, H5Tset_strpad(type, H5T_STR_NULLPAD));
  crHdf5_Try(hdf5, H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}
