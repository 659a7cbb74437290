// Sparsity of df/dy of a set of trees: which rates depend on which states, in time proportional to the entries.
//
// A state of tree t can change
//   - the rate of its own coordinate, or all four of its quaternion,
//   - the rates of v and of all auxiliary states of t, of the trees of its component, and of those that it touches; but
//     the bristle of a joint of a tree knows its own stretch and the rate of its own degree of freedom only.
#include "joint/joint_kind.h"
#include "model/eval/contacts.h"

// Rows of one column, written where `rows` is not NULL.
typedef struct Column {
  int* rows;
  int count;
} Column;

static void addRows(Column* column, int first, int count)
{
  for (int i = 0; column->rows != NULL && i < count; ++i) {
    column->rows[column->count + i] = first + i;
  }
  column->count += count;
}

// Coordinates whose rate the state can change: q' = v, but a quaternion's rate is a product of both; and the diagonal,
// which the residual form q' - v needs.
static void addCoordinateRows(const crModel* model, crStatePlace place, int jointRow, Column* column)
{
  if (place.joint < 0) {
    return;
  }
  const crJointType* type = crGetJointType((int)model->joints[place.joint].kind);
  int plain = type->hasQuaternion ? type->qCount - 4 : type->qCount;
  if (place.index < plain) {
    addRows(column, jointRow + place.index, 1);
  } else if (type->hasQuaternion && place.index >= plain) {
    addRows(column, jointRow + plain, 4);
  }
}

// The bristle of a tree's joint whose stretch the state is, or whose rate; -1: none.
static int findBristle(const crModel* model, crStatePlace place)
{
  if (place.joint >= 0) {
    return place.isRate ? crFindBristle(model, &model->joints[place.joint], place.index) : -1;
  }
  return place.bristle;
}

// Rows of v and of the auxiliary states of a tree whose states begin at `row`.
static void addRateRows(const crModel* model, int tree, int row, crStatePlace state, Column* column)
{
  const crTree* t = &model->trees[tree];
  int own = findBristle(model, state);
  addRows(column, row + t->qCount, t->vCount);
  for (int i = t->qCount + t->vCount; i < crTreeStateCount(t); ++i) {
    int bristle = crLocateState(model, tree, i).bristle;
    if (bristle < 0 || bristle == own || model->joints[model->bristles[bristle].joint].isCut) {
      addRows(column, row + i, 1);
    }
  }
}

// A tree of the set, with where its states begin and what it touches.
typedef struct Partner {
  const crModel* model;
  crTreeSet set;
  int place, tree, row; // where it is in the set
  crTreeLinks touched;
} Partner;

// Rows of links from the i-th on to trees before `end` that are in the set and in another component. Returns the next.
static int addLinks(const Partner* p, int i, int end, crStatePlace state, Column* column)
{
  const int* components = p->model->components;
  for (; i < p->touched.count && (int)(uint32_t)p->touched.links[i] < end; ++i) {
    int other = (int)(uint32_t)p->touched.links[i];
    if (p->touched.places[i] >= 0 && components[other] != components[p->tree]) {
      addRateRows(p->model, other, p->touched.places[i], state, column);
    }
  }
  return i;
}

// Of a tree in a component of several: goes through the set from its first tree to its last.
static void addComponentRows(const Partner* p, crStatePlace state, int jointRow, Column* column)
{
  const crModel* model = p->model;
  const int *trees = p->set.trees, first = model->components[p->tree];
  int k = p->place, row = p->row, link = 0, left = model->componentTrees[first];
  while (k > 0 && trees[k] > first) {
    row -= crTreeStateCount(&model->trees[trees[--k]]);
  }
  for (; k < p->set.treeCount && left > 0; ++k) {
    int other = trees[k];
    if (model->components[other] == first) {
      link = addLinks(p, link, other, state, column);
      if (other == p->tree) {
        addCoordinateRows(model, state, jointRow, column);
      }
      addRateRows(model, other, row, state, column);
      --left;
    }
    row += crTreeStateCount(&model->trees[other]);
  }
  addLinks(p, link, model->size.treeCount, state, column);
}

// Of a tree that nothing but contacts couple: its own rows in their place among those of its links.
static void addLinkedRows(const Partner* p, crStatePlace state, int jointRow, Column* column)
{
  int i = 0;
  for (; i < p->touched.count && (int)(uint32_t)p->touched.links[i] < p->tree; ++i) {
    if (p->touched.places[i] >= 0) {
      addRateRows(p->model, (int)(uint32_t)p->touched.links[i], p->touched.places[i], state, column);
    }
  }
  addCoordinateRows(p->model, state, jointRow, column);
  addRateRows(p->model, p->tree, p->row, state, column);
  for (; i < p->touched.count; ++i) {
    if (p->touched.places[i] >= 0) {
      addRateRows(p->model, (int)(uint32_t)p->touched.links[i], p->touched.places[i], state, column);
    }
  }
}

static void addColumns(const Partner* p, int** columnStarts, Column* column)
{
  const crModel* model = p->model;
  const crTree* tree = &model->trees[p->tree];
  for (int i = 0; i < crTreeStateCount(tree); ++i) {
    crStatePlace state = crLocateState(model, p->tree, i);
    int jointRow = state.joint < 0 ? 0 : p->row + model->joints[state.joint].qStart - tree->qStart;
    if (*columnStarts != NULL) {
      *(*columnStarts)++ = column->count;
    }
    if (model->componentTrees[p->tree] > 1) {
      addComponentRows(p, state, jointRow, column);
    } else {
      addLinkedRows(p, state, jointRow, column);
    }
  }
}

crStatus crModel_GetSparsity(const crModel* model, crTreeSet set, int* outColumnStarts, int* outRows, int* outCount)
{
  if (!crIsTreeSet(model, set)) {
    return cr_errorMisuse;
  }
  Column column = { outRows, 0 };
  Partner partner = { .model = model, .set = set };
  int* columnStarts = outColumnStarts;
  if (set.contacts != NULL) {
    crContacts_PlaceLinks(set.contacts, set);
  }
  for (int k = 0; k < set.treeCount; ++k) {
    partner.place = k;
    partner.tree = set.trees[k];
    if (set.contacts != NULL) {
      partner.touched = crContacts_GetLinks(set.contacts, partner.tree);
    }
    addColumns(&partner, &columnStarts, &column);
    partner.row += crTreeStateCount(&model->trees[partner.tree]);
  }
  if (columnStarts != NULL) {
    *columnStarts = column.count;
  }
  if (outCount != NULL) {
    *outCount = column.count;
  }
  return cr_ok;
}
