// A program whose engine is at work for hours.
import { join } from 'node:path';
import { Database } from '../../../src/answers/engine/database.ts';

const [, , temporary = ''] = process.argv;
const database = await Database.open({ spillTo: join(temporary, 'spill'), temporary });
void database.run('SELECT count(*) FROM range(1e15::BIGINT) a, range(1e15::BIGINT) b');
await database.beside();
process.send?.('at work');
