import { httpLoad, type LoadJob, type PacedJob, pacedHttpLoad } from './http-load.ts'
import { serveJobs } from './job-process.ts'

/** The process that load over HTTP comes from. */
serveJobs((job: LoadJob | PacedJob) => ('clients' in job ? httpLoad(job) : pacedHttpLoad(job)))
