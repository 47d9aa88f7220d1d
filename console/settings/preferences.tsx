import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../connection/call';
import { settings } from '../connection/state';
import { lettersWork, setLetters } from '../palette/letters';
import { shownClock } from '../parts/format';
import { SelectField } from '../parts/field';
import { languageName, LANGUAGES } from '../parts/languages';
import { useTask } from '../parts/task';
import { language } from '../words';
import { HintedCheck, named, numbered, Section, SettingCheck, SettingSelect, useSetting } from './controls';
import { appearance, firstView, languages, reading, time, writing } from './words';

const SIZES = [12, 13, 14, 15, 16, 17, 18, 20, 22, 24];

const EVENING = new Date(2000, 0, 1, 21, 5);

function TimeFormat() {
  const { value, set, error, disabled } = useSetting('twenty_four_hour_time');
  return (
    <SelectField
      disabled={disabled}
      label={time.format}
      error={error || undefined}
      value={String(value === true)}
      choices={[
        { value: 'false', label: '9:05 PM' },
        { value: 'true', label: '21:05' },
      ]}
      onValue={(chosen) => set(chosen === 'true')}
    />
  );
}

/** The language. Texts are part of the script, so changing it reloads the page. */
function Language() {
  const now = settings.value['default_language'];
  const shown = useRef(now);
  const [chosen, setChosen] = useState<string | null>(null);
  const task = useTask();
  useEffect(() => {
    if (now !== shown.current) location.reload();
  }, [now]);
  const choose = async (default_language: string) => {
    setChosen(default_language);
    try {
      await call('PATCH', 'settings', { default_language });
      location.reload();
    } catch (error) {
      setChosen(null);
      throw error;
    }
  };
  // The setting is also English if no language was chosen, and the page then uses the browser's.
  const saved = now === 'en' && shown.current === 'en' ? language : String(now);
  const value = chosen ?? saved;
  return (
    <Section title={languages.title} about={languages.about}>
      <SelectField
        label={languages.title}
        error={task.error || undefined}
        value={value}
        choices={[...new Set([...LANGUAGES, value])].map((code) => ({
          value: code,
          label: languageName(code),
        }))}
        onValue={(chosen) => void task.run(() => choose(chosen))}
      />
    </Section>
  );
}

/** Appearance of the console. @param children shown below the text size */
export function Appearance({ children }: { readonly children?: ComponentChildren }) {
  return (
    <>
      <Section title={appearance.title}>
        <SettingSelect name="color_scheme" label={appearance.theme} choices={numbered(appearance.themes)} />
        <div class="row">
          <SettingSelect
            name="web_font_size_px"
            label={appearance.size}
            choices={SIZES.map((px) => ({ value: String(px), label: appearance.sizes(px) }))}
          />
          <SettingSelect
            name="web_line_height_percent"
            label={appearance.lines}
            choices={named(appearance.spacings)}
          />
        </div>
        {children}
        <SettingCheck name="fluid_layout_width" label={appearance.wide} />
        <SettingCheck name="high_contrast_mode" label={appearance.contrast} hint={appearance.contrastAbout} />
      </Section>
      <Section title={time.title}>
        <TimeFormat />
      </Section>
    </>
  );
}

/** Settings for writing messages. @param children shown below */
export function Writing({ children }: { readonly children?: ComponentChildren }) {
  return (
    <Section title={writing.title}>
      <SettingCheck name="enter_sends" label={writing.enter} hint={writing.enterAbout} />
      <SettingCheck name="translate_emoticons" label={writing.emoticons} />
      {children}
    </Section>
  );
}

/** When messages are marked as read. */
export function Reading() {
  return (
    <Section title={reading.title}>
      <SettingSelect
        name="web_mark_read_on_scroll_policy"
        label={reading.mark}
        choices={numbered(reading.marked)}
      />
    </Section>
  );
}

/** Settings of the console's appearance and behavior, and of the user's other apps. */
export function Preferences() {
  return (
    <>
      <Appearance>
        <p class="sample">
          <time>{shownClock(EVENING)}</time> {appearance.sample}
        </p>
      </Appearance>
      <Writing>
        <HintedCheck
          label={writing.keys}
          hint={writing.keysAbout}
          checked={lettersWork.value}
          onChecked={setLetters}
        />
      </Writing>
      <Reading />
      <Section title={firstView.title}>
        <SettingSelect name="web_home_view" label={firstView.title} choices={named(firstView.homes)} />
        <SettingCheck
          name="web_escape_navigates_to_home_view"
          label={firstView.escape}
          hint={firstView.escapeAbout}
        />
      </Section>
      <Language />
    </>
  );
}
