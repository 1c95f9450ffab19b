from .constraint import (
    constrained as constrained,
    multiplier as multiplier,
    scaled_to_power as scaled_to_power,
)
from .entropies import (
    KernelMatrix as KernelMatrix,
    entropy as entropy,
    entropy_sum_numpy as entropy_sum_numpy,
    mutual_information as mutual_information,
    power_penalty as power_penalty,
)
from .losses import (
    conditional_kie_loss as conditional_kie_loss,
    joint_kie_loss as joint_kie_loss,
    kie_loss as kie_loss,
)
from .models import (
    KIE as KIE,
    ConditionalKIE as ConditionalKIE,
    JointKIE as JointKIE,
    annealing_schedule as annealing_schedule,
)
from .out_of_sample import (
    backward_map as backward_map,
    forward_map as forward_map,
    information_content as information_content,
    inserted_map as inserted_map,
)
from .reconstruction import reconstruction_loss as reconstruction_loss
