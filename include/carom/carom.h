// The library carom, all of it: the core, from numbers to runs. carom/io.h and carom/show.h are the headers of the two
// libraries beside it, carom_io and carom_show.
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include "carom/base.h"
#include "carom/collide.h"
#include "carom/external.h"
#include "carom/geometry.h"
#include "carom/instance.h"
#include "carom/math.h"
#include "carom/model.h"
#include "carom/record.h"
#include "carom/scene.h"
#include "carom/signal.h"
#include "carom/simulate.h"
#include "carom/solver.h"
#include "carom/state.h"

#endif
