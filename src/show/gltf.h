// A glTF scene being composed: lists that the JSON chunk describes, and the binary chunk.
#ifndef CR_SHOW_GLTF_H
#define CR_SHOW_GLTF_H

#include "base/map.h"
#include "show/bytes.h"
#include "show/picture.h"

enum { cr_gltfUint32 = 5125, cr_gltfFloat = 5126, cr_gltfVertices = 34962, cr_gltfIndices = 34963 };
#define CR_ARROW_LOOKS 3 // looks of the arrows of coordinate systems, which come first

typedef struct crGltfView {
  size_t offset, size;
  int target; // 0: none
} crGltfView;

typedef struct crGltfAccessor {
  int view;
  int type; // cr_gltfFloat or cr_gltfUint32
  int count;
  const char* shape; // "SCALAR", "VEC3", "VEC4"
  bool hasBounds;
  int boundCount;
  double min[3], max[3];
} crGltfAccessor;

typedef struct crGltfMesh {
  int positions, normals, indices; // accessors; normals -1: lines
  int look;
} crGltfMesh;

typedef struct crGltfNode {
  const char* path;   // name
  const char* suffix; // behind it, or ""
  int firstChild, childCount;
  crPose pose;
  double stretch; // scale along z
  bool isRoot;
  int mesh, camera; // -1: none
} crGltfNode;

typedef enum crGltfPath { cr_pathTranslation, cr_pathRotation, cr_pathScale } crGltfPath;

typedef struct crGltfChannel {
  int node, sampler;
  crGltfPath path;
} crGltfChannel;

typedef struct crGltf {
  const crPicture* picture;
  crAllocator allocator;
  crArena arena;
  crBytes binary;
  crArrayOf(crGltfView) views;
  crArrayOf(crGltfAccessor) accessors;
  crArrayOf(crGltfMesh) meshes;
  crArrayOf(crGltfNode) nodes;
  crArrayOf(int) children; // nodes
  crArrayOf(const char*) looks;
  crArrayOf(double) cameras; // field of view [rad]
  crArrayOf(crGltfChannel) channels;
  crArrayOf(int) outputs; // accessor of each sampler; all have the same input
  crMap lookNumbers, meshNumbers;
  int* rows; // (rowCount) of the result: finite, times growing
  int rowCount;
  int* lastRows; // (bodies of the result) the last in which each is there
  int timeAccessor;
  double extent; // [m]
} crGltf;

void crGltf_Init(crGltf* gltf, const crPicture* picture);
void crGltf_Free(crGltf* gltf);

// Fills the lists from the picture.
crStatus crGltf_Build(crGltf* gltf);

#endif
