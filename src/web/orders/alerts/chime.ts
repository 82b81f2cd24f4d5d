const notes = [
  { hertz: 880, at: 0 },
  { hertz: 1318.5, at: 0.12 },
] as const;
const noteSeconds = 0.5;
const loudness = 0.12;
/** How long other tabs stay silent for the same letter. */
const quietMilliseconds = 1500;

/** Plays two soft notes. Browsers keep a page silent until its user has interacted with it. */
export function chime(): void {
  if (!("AudioContext" in globalThis) || navigator.userActivation?.hasBeenActive === false) return;
  const context = new AudioContext();
  for (const { hertz, at } of notes) {
    const begin = context.currentTime + at;
    const tone = new OscillatorNode(context, { type: "sine", frequency: hertz });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime(loudness, begin + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.0001, begin + noteSeconds);
    tone.connect(gain).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + noteSeconds);
    if (at === notes.at(-1)?.at) tone.onended = () => void context.close();
  }
}

export function chimeOnce(): void {
  // Web Locks exist on https and localhost only.
  if (!("locks" in navigator)) return chime();
  const take = async (lock: Lock | null) => {
    if (!lock) return;
    chime();
    await new Promise((done) => setTimeout(done, quietMilliseconds));
  };
  // Refused where cookies are blocked.
  navigator.locks.request("postern chime", { ifAvailable: true }, take).catch(chime);
}
