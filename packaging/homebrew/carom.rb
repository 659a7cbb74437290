# Homebrew's formula. Not tried on a Mac.
class Carom < Formula
  desc "Simulate 3D mechanical systems with collisions, right and fast"
  homepage "RELEASE_URL"
  url "RELEASE_URL/carom-0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "cairo"
  depends_on "expat"
  depends_on "hdf5"
  depends_on "jansson"
  depends_on "libzip"
  depends_on "lua"
  depends_on "nlopt"
  depends_on "qhull"
  depends_on "suite-sparse"
  depends_on "sundials"
  uses_from_macos "zlib"

  def install
    args = %w[-DBUILD_SHARED_LIBS=ON -DCAROM_NATIVE=OFF -DCAROM_TESTS=OFF -DCAROM_PYTHON=OFF -DCAROM_FMU=OFF]
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *args, *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"carom", "new", "first.lua"
    system bin/"carom", "run", "first.lua", "--quiet"
    assert_predicate testpath/"first.run/report.html", :exist?
  end
end
