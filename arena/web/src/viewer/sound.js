// @ts-check
// What a room hears of a game, if somebody wants it: a tick for a card that is played, a lower one for cards that are drawn, a call
// for words, a chord for the end of a round. It makes the tones itself and is silent until it is switched on.

/** @typedef {'play' | 'draw' | 'word' | 'fault' | 'round' | 'turn'} Sound */

const SOUND_KEY = 'maumau-sound';
const VOLUME = 0.12;
/** Of each sound its tones: the pitch in hertz, when it begins and how long it lasts, in seconds.
 * @type {Record<Sound, [number, number, number][]>} */
const TONES = {
  play: [[392, 0, 0.07]],
  draw: [[196, 0, 0.09]],
  word: [[659, 0.05, 0.1], [880, 0.16, 0.16]],
  fault: [[147, 0, 0.12], [131, 0.13, 0.2]],
  round: [[523, 0.1, 0.4], [659, 0.22, 0.4], [784, 0.34, 0.6]],
  turn: [[587, 0.1, 0.18]],
};

/** Whether sound was switched on in this browser. */
function wasOn() {
  try {
    return localStorage.getItem(SOUND_KEY) === 'on';
  } catch {
    return false;
  }
}

let isOn = wasOn();
/** @type {AudioContext | null} */
let audio = null;

/** The sounds of what happened, each once. @param {{played?: number | null, drew: boolean, said: boolean, fault: boolean, round: boolean}} what
 * @returns {Sound[]} */
export function soundsOf({ played, drew, said, fault, round }) {
  const isPlayed = played !== undefined && played !== null;
  /** @type {[boolean, Sound][]} */
  const all = [[isPlayed, 'play'], [drew && !isPlayed, 'draw'], [said, 'word'], [fault, 'fault'], [round, 'round']];
  return all.filter(([is]) => is).map(([, sound]) => sound);
}

/** Lets sounds be heard, if they are wanted. Before the first key or click on a page browsers let nothing be heard.
 * @param {Sound[]} sounds */
export function sound(sounds) {
  if (!isOn || sounds.length === 0) return;
  audio ??= new AudioContext();
  if (audio.state === 'suspended') audio.resume().catch(() => {});
  if (audio.state !== 'running') return;
  for (const [pitch, begins, lasts] of sounds.flatMap((name) => TONES[name])) {
    const [from, to] = [audio.currentTime + begins, audio.currentTime + begins + lasts];
    const gain = new GainNode(audio, { gain: 0 });
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(VOLUME, from + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, to);
    const tone = new OscillatorNode(audio, { type: 'triangle', frequency: pitch });
    tone.connect(gain).connect(audio.destination);
    tone.start(from);
    tone.stop(to);
  }
}

/** Switches sound on or off; a button says which. @param {HTMLElement} button */
export function prepareSound(button) {
  const show = () => button.setAttribute('aria-pressed', `${isOn}`);
  button.addEventListener('click', () => {
    isOn = !isOn;
    try {
      localStorage.setItem(SOUND_KEY, isOn ? 'on' : 'off');
    } catch {
      // A browser that keeps nothing keeps it until the page is closed.
    }
    show();
    // The click itself allows sound.
    audio ??= new AudioContext();
    audio.resume().then(() => sound(['turn']), () => {});
  });
  show();
}
