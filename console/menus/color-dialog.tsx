import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import type { KnownChannel } from '../connection/records';
import { FormDialog } from '../parts/form-dialog';
import * as words from './words';

/** The colors offered by other clients, and their names. */
const COLORS: Readonly<Record<string, string>> = {
  '#a47462': 'Brown',
  '#c2726a': 'Clay',
  '#e4523d': 'Red',
  '#e7664d': 'Coral',
  '#ee7e4a': 'Orange',
  '#f4ae55': 'Amber',
  '#f5ce6e': 'Gold',
  '#fae589': 'Lemon',
  '#bfd56f': 'Olive',
  '#94c849': 'Lime',
  '#53a063': 'Green',
  '#76ce90': 'Mint',
  '#a6dcbf': 'Sage',
  '#addfe5': 'Ice',
  '#a6c7e5': 'Sky',
  '#4f8de4': 'Blue',
  '#95a5fd': 'Periwinkle',
  '#b0a5fd': 'Lavender',
  '#9987e1': 'Violet',
  '#bd86e5': 'Purple',
  '#e79ab5': 'Pink',
  '#c6a8ad': 'Rose',
  '#c8bebf': 'Stone',
  '#c2c2c2': 'Gray',
};

interface ColorDialogProperties {
  readonly channel: KnownChannel;
  readonly onClose: () => void;
}

/** Chooses the user's color for a channel. */
export function ColorDialog({ channel, onClose }: ColorDialogProperties) {
  const [color, setColor] = useState(channel.color ?? '');
  const save = () =>
    call('POST', 'users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channel.stream_id, property: 'color', value: color }],
    });
  return (
    <FormDialog title={words.channel.color} action={words.channel.setColor} onSubmit={save} onClose={onClose}>
      <fieldset class="swatches">
        <legend class="unseen">{words.channel.color}</legend>
        {Object.entries(COLORS).map(([value, name]) => (
          <input
            key={value}
            type="radio"
            name="color"
            aria-label={name}
            title={name}
            style={{ '--channel': value }}
            checked={value === color.toLowerCase()}
            onChange={() => setColor(value)}
          />
        ))}
      </fieldset>
      <label class="check">
        {words.channel.otherColor}
        <input type="color" value={color} onInput={({ currentTarget }) => setColor(currentTarget.value)} />
      </label>
    </FormDialog>
  );
}
