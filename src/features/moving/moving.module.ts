import { Module } from '@nestjs/common';
import { PauseWritesService } from './pause-writes.service';

/** What the server does while a command moves its database. */
@Module({ providers: [PauseWritesService] })
export class MovingModule {}
