/** Of the process that reads one file. Its own code and its libraries take a tenth. */
export const maxResidentBytes = 768 * 1024 * 1024
export const maxHeapMebibytes = 448
/** Of work and not of waiting, so that it is the same on a busy machine. */
export const maxCpuSeconds = 30
