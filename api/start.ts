import { serve } from './server.ts'

/** `npm start`: the product over the data that the environment names. */

await serve(process.env)
