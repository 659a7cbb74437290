// A state in one block: head, lists, and the texts that they point to.
#include "base/memory.h"
#include "carom/state.h"

#include <string.h>

typedef struct Block {
  crAllocator allocator;
  size_t size; // [bytes] of all of it
  crState state;
} Block;

// Where the next list or text goes.
typedef struct Room {
  char* next;
} Room;

static size_t measureText(const char* text)
{
  return text != NULL ? strlen(text) + 1 : 0;
}

static size_t measureNumbers(const crNamedNumber* numbers, int count)
{
  size_t size = (size_t)count * sizeof *numbers;
  for (int i = 0; i < count; ++i) {
    size += measureText(numbers[i].name);
  }
  return size;
}

static size_t measureState(const crState* state)
{
  size_t size = sizeof(Block) + (size_t)state->contactCount * sizeof *state->contacts;
  size += measureNumbers(state->states, state->stateCount) + measureNumbers(state->inputs, state->inputCount);
  size += measureNumbers(state->discrete, state->discreteCount) + measureNumbers(state->turns, state->turnCount);
  for (int i = 0; i < state->contactCount; ++i) {
    size += measureText(state->contacts[i].objectA) + measureText(state->contacts[i].objectB);
  }
  return size;
}

static void* put(Room* room, const void* bytes, size_t size)
{
  void* place = room->next;
  if (size > 0) {
    memcpy(place, bytes, size);
  }
  room->next += size;
  return place;
}

static const char* putText(Room* room, const char* text)
{
  return text != NULL ? put(room, text, strlen(text) + 1) : NULL;
}

static void putNames(Room* room, const crNamedNumber* numbers, int count)
{
  for (int i = 0; i < count; ++i) {
    ((crNamedNumber*)numbers)[i].name = putText(room, numbers[i].name);
  }
}

// Lists first, since texts have no alignment.
static void fill(Room* room, crState* state)
{
  size_t number = sizeof(crNamedNumber);
  state->states = put(room, state->states, (size_t)state->stateCount * number);
  state->inputs = put(room, state->inputs, (size_t)state->inputCount * number);
  state->discrete = put(room, state->discrete, (size_t)state->discreteCount * number);
  state->turns = put(room, state->turns, (size_t)state->turnCount * number);
  state->contacts = put(room, state->contacts, (size_t)state->contactCount * sizeof *state->contacts);
  putNames(room, state->states, state->stateCount);
  putNames(room, state->inputs, state->inputCount);
  putNames(room, state->discrete, state->discreteCount);
  putNames(room, state->turns, state->turnCount);
  for (int i = 0; i < state->contactCount; ++i) {
    crStateContact* contact = (crStateContact*)&state->contacts[i];
    contact->objectA = putText(room, contact->objectA);
    contact->objectB = putText(room, contact->objectB);
  }
}

crStatus crCopyState(const crState* state, const crAllocator* allocator, crState** outState)
{
  if (state == NULL || outState == NULL) {
    return cr_errorMisuse;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  size_t size = measureState(state);
  Block* block = crAllocate(&chosen, size);
  *outState = NULL;
  if (block == NULL) {
    return cr_errorMemory;
  }
  *block = (Block){ chosen, size, *state };
  fill(&(Room){ (char*)(block + 1) }, &block->state);
  *outState = &block->state;
  return cr_ok;
}

void crDestroyState(crState* state)
{
  if (state != NULL) {
    Block* block = (Block*)((char*)state - offsetof(Block, state));
    crAllocator allocator = block->allocator;
    crFree(&allocator, block, block->size);
  }
}
