import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config';
import { CommittedReads } from '../database/queryable';
import { RedisLink } from './redis-link';

/** The way to other nodes, {@link RedisLink}: null where there are none. */
@Global()
@Module({
  providers: [
    {
      provide: RedisLink,
      inject: [Config, CommittedReads],
      // A database file has one node.
      useFactory: ({ redisUrl, databaseUrl }: Config, database: CommittedReads) =>
        redisUrl !== null && databaseUrl !== null ? new RedisLink(redisUrl, database) : null,
    },
  ],
  exports: [RedisLink],
})
export class RedisModule {}
