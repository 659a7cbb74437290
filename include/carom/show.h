// The library carom_show, all of it: what shows results to people.
#ifndef CAROM_SHOW_H
#define CAROM_SHOW_H

#include "carom/live.h"
#include "carom/plot.h"
#include "carom/report.h"
#include "carom/run.h"

#endif
