"""MaskablePPO of sb3-contrib against a built-in bot: python3 maskable_ppo.py [STEPS]

    pip install gymnasium sb3-contrib

The last line is the verdict of the match test; the program ends with 1 if the policy is not better than the bot `first`.
"""

import sys

import gymnasium
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

import maumau


class Policy:
    """What `maumau` calls: the action of each row that the network holds for best."""

    def __init__(self, model):
        self.model = model

    def __call__(self, observation, mask):
        return self.model.predict(observation, action_masks=mask.astype(bool), deterministic=True)[0]


def main(steps="60000"):
    maumau.register_envs()
    rows = DummyVecEnv([lambda: gymnasium.make("maumau/basic-v1", opponents=["first"])] * 16)
    model = MaskablePPO("MlpPolicy", rows, n_steps=256, batch_size=1024, n_epochs=4, ent_coef=0.005, seed=1, device="cpu",
                        learning_rate=1e-3, policy_kwargs={"net_arch": [128], "normalize_images": False})
    model.learn(int(steps))
    found = maumau.evaluate(Policy(model), against="first", rules="basic", seats=2, deals=1500, seed=7)
    print(found)
    return 0 if found.verdict == "better" else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
