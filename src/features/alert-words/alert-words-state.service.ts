import { Injectable } from '@nestjs/common';
import { InitialStateRegistry } from '../../platform/client-state/initial-state.registry';
import { AlertWordDirectory } from './alert-word.directory';

/** Tells clients that register their person's alert words. */
@Injectable()
export class AlertWordsStateService {
  constructor(words: AlertWordDirectory, registry: InitialStateRegistry) {
    registry.register({
      fetchType: 'alert_words',
      state: (_, { reader }) => ({ alert_words: reader ? words.wordsOf(reader.userId) : [] }),
    });
  }
}
