import { Controller, Delete, Get, Put } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { BotStorageKeysDto, PutBotStorageDto } from './bot-storage.api';
import { BotStorageService } from './bot-storage.service';

/** Texts that a bot stores on the server, by key. */
@Controller('api/v1/bot_storage')
@NeedsScope('read', 'send')
export class BotStorageController {
  constructor(private readonly botStorage: BotStorageService) {}

  /** Stores texts of a bot under keys. */
  @Put()
  put(@CurrentActor() actor: Actor, @Parameters() dto: PutBotStorageDto): Promise<void> {
    return this.botStorage.put(actor, dto.storage);
  }

  /** Reads what a bot stored under some keys, or under all. */
  @Get()
  async get(@CurrentActor() actor: Actor, @Parameters() dto: BotStorageKeysDto) {
    return { storage: await this.botStorage.get(actor, dto.keys) };
  }

  /** Removes what a bot stored under some keys, or under all. */
  @Delete()
  remove(@CurrentActor() actor: Actor, @Parameters() dto: BotStorageKeysDto): Promise<void> {
    return this.botStorage.remove(actor, dto.keys);
  }
}
