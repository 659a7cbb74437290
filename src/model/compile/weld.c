// Pass 3, weld: rigidly connected objects become bodies, the paper's super-objects.
//
// The augmented depth-first search of [NeumayrOtter19] section 4.2: a buffer holds the roots of the
// bodies found so far, a stack the objects of the body at hand. Objects fixed to the one at hand go on the
// stack; a tree joint is a boundary, and the object at its far end becomes the root of the next body.
// The place in the buffer is the body's number. Unlike the paper, a body is entered where its joint
// ends, so it can hang on any of its objects: links to parents are followed in both directions.
// Trees are searched one after the other, so that the bodies of a tree follow each other.
#include "model/compile/compile.h"
#include "scene/scene.h"

// Lists of numbers per object, in compressed rows.
typedef struct Rows {
  int* starts; // (objectCount + 1)
  int* items;
} Rows;

typedef struct Welder {
  crCompilation* c;
  Rows children;   // objects fixed to a parent, by parent
  Rows welds;      // fix joints, by either end
  Rows boundaries; // tree edges, by the end nearer to the world
  int* stack;      // (objectCount)
  int stacked;
  int* buffer; // (groupCount) root object of each body
  int buffered;
  int* roots; // (groupCount) edges from the world to its trees
  int rootCount;
  int ordered; // objects in objectOrder
} Welder;

// Fills rows from (owner, item) pairs that are fed twice: once to count, once to store.
typedef struct RowFiller {
  Rows rows;
  int* filled; // (objectCount) NULL: counting
} RowFiller;

static void feed(RowFiller* filler, int owner, int item)
{
  if (filler->filled == NULL) {
    ++filler->rows.starts[owner + 1];
  } else {
    filler->rows.items[filler->rows.starts[owner] + filler->filled[owner]++] = item;
  }
}

static void feedChildren(const crCompilation* c, RowFiller* filler)
{
  for (int i = 0; i < c->objectCount; ++i) {
    if (c->rigidParents[i] >= 0) {
      feed(filler, c->rigidParents[i], i);
    }
  }
}

static void feedWelds(const crCompilation* c, RowFiller* filler)
{
  for (int i = 0; i < c->jointCount; ++i) {
    if (crIsWeld(c->jointDefs[i]->kind)) {
      feed(filler, c->jointEnds[i][0], i);
      feed(filler, c->jointEnds[i][1], i);
    }
  }
}

// The object at the end of a tree edge that is nearer to the world, and the one farther away.
static void edgeEnds(const crCompilation* c, int edge, int* outNear, int* outFar)
{
  if (edge >= c->jointCount) {
    *outNear = c->world;
    *outFar = edge - c->jointCount;
    return;
  }
  int a = c->jointEnds[edge][0], b = c->jointEnds[edge][1];
  bool isReversed = c->treeEdges[c->groups[a]] == edge;
  *outNear = isReversed ? b : a;
  *outFar = isReversed ? a : b;
}

// Joints in the order of their creation, then free objects likewise.
static void feedBoundaries(const crCompilation* c, RowFiller* filler)
{
  int near, far;
  for (int edge = 0; edge < c->jointCount + c->objectCount; ++edge) {
    int object = edge < c->jointCount ? c->jointEnds[edge][0] : edge - c->jointCount;
    int other = edge < c->jointCount ? c->jointEnds[edge][1] : object;
    if (c->treeEdges[c->groups[object]] == edge || c->treeEdges[c->groups[other]] == edge) {
      edgeEnds(c, edge, &near, &far);
      feed(filler, near, edge);
    }
  }
}

static bool fillRows(crCompilation* c, void (*feedAll)(const crCompilation*, RowFiller*), Rows* outRows)
{
  RowFiller filler = { 0 };
  int* filled;
  if (!crNew(c, filler.rows.starts, c->objectCount + 1) || !crNew(c, filled, c->objectCount)) {
    return false;
  }
  feedAll(c, &filler);
  for (int i = 0; i < c->objectCount; ++i) {
    filler.rows.starts[i + 1] += filler.rows.starts[i];
  }
  if (!crNew(c, filler.rows.items, filler.rows.starts[c->objectCount])) {
    return false;
  }
  filler.filled = filled;
  feedAll(c, &filler);
  *outRows = filler.rows;
  return true;
}

// ------------------------------------------------------------------------------------------- search

static crPose poseInParent(const crObjectDef* def)
{
  return crMakePose(def->position, def->rotation);
}

// Puts an object of the body at hand on the stack, unless it is there already.
static void push(Welder* welder, int body, int object, crPose X_BO)
{
  crCompilation* c = welder->c;
  crModelObject* record = &c->objects[object];
  if (record->body != CR_NONE) {
    return;
  }
  int number = c->scene->objects.items[object].number;
  record->sceneIndex = object;
  record->number = number > 0 ? number : object + 1;
  record->body = body;
  record->X_BO = X_BO;
  welder->stack[welder->stacked++] = object;
}

// Stacks what is fixed to an object so that it is popped in this order: children as created, objects
// behind fix joints, the parent.
static void pushNeighbours(Welder* welder, int body, int object)
{
  crCompilation* c = welder->c;
  crPose X_BO = c->objects[object].X_BO;
  int parent = c->rigidParents[object];
  if (parent >= 0) {
    push(welder, body, parent, crMulPose(X_BO, crInvertPose(poseInParent(c->objectDefs[object]))));
  }
  for (int k = welder->welds.starts[object + 1] - 1; k >= welder->welds.starts[object]; --k) {
    const int* ends = c->jointEnds[welder->welds.items[k]];
    push(welder, body, ends[0] == object ? ends[1] : ends[0], X_BO);
  }
  for (int k = welder->children.starts[object + 1] - 1; k >= welder->children.starts[object]; --k) {
    int child = welder->children.items[k];
    push(welder, body, child, crMulPose(X_BO, poseInParent(c->objectDefs[child])));
  }
}

// Starts a body at the far end of a tree edge.
static void bufferBody(Welder* welder, int edge, int parent)
{
  crCompilation* c = welder->c;
  int near, far, number = welder->buffered++;
  crBody* body = &c->bodies[number];
  edgeEnds(c, edge, &near, &far);
  welder->buffer[number] = far;
  c->bodyOfGroup[c->groups[far]] = number;
  c->bodyEdges[number] = edge;
  body->parent = parent;
  body->joint = number - 1;
  body->tree = c->treeCount - 1;
  body->depth = c->bodies[parent].depth + 1;
}

// Visits the objects of a body depth first. Boundaries go into the buffer; those of the world wait in
// `roots` until their tree's turn.
static void visitBody(Welder* welder, int number)
{
  crCompilation* c = welder->c;
  crBody* body = &c->bodies[number];
  body->objectStart = welder->ordered;
  push(welder, number, welder->buffer[number], crIdentityPose());
  while (welder->stacked > 0) {
    int object = welder->stack[--welder->stacked];
    c->modelIndex[object] = welder->ordered;
    c->objectOrder[welder->ordered++] = object;
    for (int k = welder->boundaries.starts[object]; k < welder->boundaries.starts[object + 1]; ++k) {
      int edge = welder->boundaries.items[k];
      if (crIsWorldBody(number)) {
        welder->roots[welder->rootCount++] = edge;
      } else {
        bufferBody(welder, edge, number);
      }
    }
    pushNeighbours(welder, number, object);
  }
  body->objectCount = welder->ordered - body->objectStart;
}

static void visitTrees(Welder* welder)
{
  crCompilation* c = welder->c;
  for (int i = 0; i < welder->rootCount; ++i) {
    crTree* tree = &c->trees[c->treeCount++];
    tree->bodyStart = welder->buffered;
    bufferBody(welder, welder->roots[i], 0);
    for (int body = tree->bodyStart; body < welder->buffered; ++body) {
      visitBody(welder, body);
    }
    tree->bodyCount = welder->buffered - tree->bodyStart;
  }
}

static bool allocate(Welder* welder)
{
  crCompilation* c = welder->c;
  return crNew(c, c->bodyOfGroup, c->groupCount) && crNew(c, c->objectOrder, c->objectCount) &&
         crNew(c, c->modelIndex, c->objectCount) && crNew(c, c->bodyEdges, c->groupCount) &&
         crNew(c, c->objects, c->objectCount) && crNew(c, c->bodies, c->groupCount) &&
         crNew(c, c->trees, c->groupCount) && crNew(c, welder->stack, c->objectCount) &&
         crNew(c, welder->buffer, c->groupCount) && crNew(c, welder->roots, c->groupCount) &&
         fillRows(c, feedChildren, &welder->children) && fillRows(c, feedWelds, &welder->welds) &&
         fillRows(c, feedBoundaries, &welder->boundaries);
}

// The records were found by index of the scene; the model has them by body.
static bool sortObjects(crCompilation* c)
{
  crModelObject* sorted;
  if (!crNew(c, sorted, c->objectCount)) {
    return false;
  }
  for (int i = 0; i < c->objectCount; ++i) {
    sorted[i] = c->objects[c->objectOrder[i]];
  }
  c->objects = sorted;
  return true;
}

crStatus crWeld(crCompilation* c)
{
  Welder welder = { .c = c };
  if (!allocate(&welder)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->objectCount; ++i) {
    c->objects[i].body = CR_NONE;
  }
  crBody* world = &c->bodies[0];
  world->parent = world->joint = world->tree = CR_NONE;
  world->X_WB_start = crIdentityPose();
  c->bodyEdges[0] = CR_NONE;
  welder.buffer[welder.buffered++] = c->world;
  visitBody(&welder, 0);
  visitTrees(&welder);
  c->bodyCount = welder.buffered;
  return sortObjects(c) ? cr_ok : cr_errorMemory;
}

// --------------------------------------------------------------------------------------------- dump

void crDumpWeld(const crCompilation* c, crDump* dump)
{
  crDump_Print(dump, "super-objects %d, trees %d\n", c->bodyCount, c->treeCount);
  for (int b = 0; b < c->bodyCount; ++b) {
    const crBody* body = &c->bodies[b];
    crDump_Print(dump, "super-object %d", crSuperNumber(b));
    if (crIsWorldBody(b)) {
      crDump_Print(dump, ": the world\n");
    } else {
      bool isImplicit = c->bodyEdges[b] >= c->jointCount;
      crDump_Print(dump, ": tree %d, below %d, %s%s\n", body->tree + 1, crSuperNumber(body->parent),
                   isImplicit ? "free" : "moved by ", isImplicit ? "" : c->jointDefs[c->bodyEdges[b]]->name);
    }
    for (int i = body->objectStart; i < body->objectStart + body->objectCount; ++i) {
      crDump_Print(dump, "  %s at ", crNameOfObject(c, i));
      crDump_Vec3(dump, c->objects[i].X_BO.p);
      crDump_Print(dump, "\n");
    }
  }
}
