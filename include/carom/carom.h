// Carom, all of it.
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include "carom/base.h"
#include "carom/collide.h"
#include "carom/external.h"
#include "carom/geometry.h"
#include "carom/instance.h"
#include "carom/io.h"
#include "carom/math.h"
#include "carom/model.h"
#include "carom/plot.h"
#include "carom/record.h"
#include "carom/report.h"
#include "carom/result.h"
#include "carom/scene.h"
#include "carom/signal.h"
#include "carom/simulate.h"
#include "carom/solver.h"
#include "carom/state.h"

#endif
