#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/*
 * Loaded before libc (LD_PRELOAD). FAULTS_FILE names a file that may say one thing at a time:
 *   write N   writing and syncing a file of the database fails with errno N
 *   read N    reading one fails with errno N
 *   hang 0    writing and syncing one does not return while it says so
 *   clock S   the wall clock is S seconds off
 * The monotonic clock is never touched.
 */

static int said(const char *what, long *value) {
  const char *path = getenv("FAULTS_FILE");
  if (path == NULL) return 0;
  int (*open_)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
  ssize_t (*read_)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
  char text[64] = {0}, word[16] = {0};
  int kept = errno, fd = open_(path, O_RDONLY);
  if (fd >= 0) {
    if (read_(fd, text, sizeof text - 1) < 0) text[0] = 0;
    close(fd);
  }
  errno = kept;
  return sscanf(text, "%15s %ld", word, value) == 2 && strcmp(word, what) == 0;
}

static int is_database(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "contun.sqlite") != NULL && strstr(path, ".sqlite-shm") == NULL &&
         strstr(path, ".lock") == NULL;
}

static int fails(int fd, const char *what) {
  long value = 0;
  if (!is_database(fd) || !said(what, &value)) return 0;
  errno = (int)value;
  return 1;
}

static int fails_to_write(int fd) {
  long value = 0;
  while (is_database(fd) && said("hang", &value)) usleep(20000);
  return fails(fd, "write");
}

#define NEXT(name, result, ...) \
  static result (*next)(__VA_ARGS__); \
  if (next == NULL) next = dlsym(RTLD_NEXT, #name)

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  NEXT(pwrite64, ssize_t, int, const void *, size_t, off64_t);
  return fails_to_write(fd) ? -1 : next(fd, bytes, count, at);
}
ssize_t pread64(int fd, void *bytes, size_t count, off64_t at) {
  NEXT(pread64, ssize_t, int, void *, size_t, off64_t);
  return fails(fd, "read") ? -1 : next(fd, bytes, count, at);
}
int fdatasync(int fd) {
  NEXT(fdatasync, int, int);
  return fails_to_write(fd) ? -1 : next(fd);
}
int fsync(int fd) {
  NEXT(fsync, int, int);
  return fails_to_write(fd) ? -1 : next(fd);
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  NEXT(gettimeofday, int, struct timeval *, void *);
  long seconds = 0;
  int result = next(now, zone);
  if (result == 0 && said("clock", &seconds)) now->tv_sec += seconds;
  return result;
}
int clock_gettime(clockid_t clock, struct timespec *now) {
  NEXT(clock_gettime, int, clockid_t, struct timespec *);
  long seconds = 0;
  int result = next(clock, now);
  if (result == 0 && clock == CLOCK_REALTIME && said("clock", &seconds)) now->tv_sec += seconds;
  return result;
}
