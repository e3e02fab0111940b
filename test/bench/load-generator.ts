import { httpLoad, type LoadJob } from './http-load.ts'
import { serveJobs } from './job-process.ts'

/** The process that load over HTTP comes from. */
serveJobs((job: LoadJob) => httpLoad(job))
