/** The bound of a process that reads one file; its code and libraries take a tenth. */
export const maxResidentBytes = 768 * 1024 * 1024
export const maxHeapMebibytes = 448
/** The time of work alone, which is the same on a busy machine. */
export const maxCpuSeconds = 30
/** Nesting of elements. The parser's time grows with its square. */
export const maxDepth = 10_000
