import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';

/** Finds messages by when they were sent: IDs rise with time, and there is no index on the time. */
@Injectable()
export class MessageTimesService {
  constructor(private readonly database: Database) {}

  /** The newest ID; 0 while there is no message. */
  async newestId(): Promise<number> {
    const [row] = await this.database.read.query<{ id: number | null }>('SELECT MAX(id) AS id FROM message');
    return row?.id ?? 0;
  }

  /** The last ID sent before a time, by halving. @param time UNIX seconds */
  async lastIdBefore(time: number): Promise<number> {
    let low = 0;
    let high = await this.newestId();
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const [row] = await this.database.read.query<{ sent_at: number }>(
        'SELECT sent_at FROM message WHERE id <= ? ORDER BY id DESC LIMIT 1',
        [middle],
      );
      if (!row || row.sent_at < time) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
