// The icon of FMUs: a PNG whose bytes are the same on every machine.
#ifndef CR_FMU_ICON_H
#define CR_FMU_ICON_H

#include "fmu/text_block.h"

void crWriteIcon(crTextBlock* out);

#endif
