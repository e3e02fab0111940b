/** The bound of a process that reads files; its code and libraries take a tenth. */
export const maxResidentBytes = 768 * 1024 * 1024
export const maxHeapMebibytes = 448
/** A process that holds more after a file ends, which gives its memory back. */
export const maxKeptBytes = 256 * 1024 * 1024
/** The time of work alone for one file, which is the same on a busy machine. */
export const maxCpuSeconds = 30
/** Nesting of elements. The parser's time grows with its square. */
export const maxDepth = 10_000
