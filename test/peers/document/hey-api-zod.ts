import { drive } from './drive.ts'
import { callOf } from './hey-api-call.ts'

await drive(callOf(process.env.SERVICE_URL!))
