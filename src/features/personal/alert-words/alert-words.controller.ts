import { Controller, Delete, Get, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { AddAlertWordsDto, RemoveAlertWordsDto } from './alert-words.api';
import { AlertWordsService } from './alert-words.service';

/** The caller's own alert words; each answer lists all of them. */
@Controller('api/v1/users/me/alert_words')
@NeedsScope('read', 'send')
export class AlertWordsController {
  constructor(private readonly alertWords: AlertWordsService) {}

  /** Lists the caller's alert words. */
  @Get()
  list(@CurrentActor() actor: Actor) {
    return { alert_words: this.alertWords.list(actor) };
  }

  /** Adds alert words. */
  @Post()
  async add(@CurrentActor() actor: Actor, @Parameters() dto: AddAlertWordsDto) {
    return { alert_words: await this.alertWords.add(actor, dto.alert_words) };
  }

  /** Removes alert words. */
  @Delete()
  async remove(@CurrentActor() actor: Actor, @Parameters() dto: RemoveAlertWordsDto) {
    return { alert_words: await this.alertWords.remove(actor, dto.alert_words) };
  }
}
